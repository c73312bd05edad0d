"""Serves a GGUF model with llama.cpp's own HTTP server.

usage: llama_server.py SETTINGS_FILE

The key that callers must show is in the variable ENGINE_API_KEY, since arguments and files are easier to read.
"""

import json
import os
import signal
import sys

from xllamacpp import CommonParams, Server


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    stopping = {signal.SIGTERM, signal.SIGINT}
    # Before the server starts its threads, which inherit it: the signals are then for sigwait alone.
    signal.pthread_sigmask(signal.SIG_BLOCK, stopping)

    params = CommonParams()
    params.model.path = settings["modelPath"]
    params.model_alias = {settings["alias"]}
    params.hostnames = [settings["host"]]
    params.port = settings["port"]
    params.api_keys = [os.environ.pop("ENGINE_API_KEY")]
    params.n_ctx = settings["contextLength"] * settings["parallelRequests"]
    params.n_parallel = settings["parallelRequests"]
    params.n_gpu_layers = settings["gpuLayers"]
    params.embedding = settings["embedding"]
    # Kept prompts may otherwise take 8 GiB beside the model.
    params.cache_ram_mib = settings["promptCacheMib"]
    params.endpoint_metrics = True
    params.endpoint_slots = False
    params.ui = False

    server = Server(params)
    print(f"listening at {server.listening_address}", flush=True)
    signal.sigwait(stopping)
    # The server has no way to be told to stop, and holds nothing that must be saved.
    os._exit(0)


main()
