"""Fetches one file with the official Python client of the hub, and prints the duration as JSON."""

import hashlib
import json
import shutil
import sys
import tempfile
import time

from huggingface_hub import hf_hub_download
from huggingface_hub.utils import disable_progress_bars

endpoint, repo, path, parent = sys.argv[1:]
disable_progress_bars()
folder = tempfile.mkdtemp(dir=parent)
started = time.perf_counter()
file = hf_hub_download(repo, path, endpoint=endpoint, cache_dir=folder, token=False)
fetched = time.perf_counter()
with open(file, "rb") as content:
    sha256 = hashlib.file_digest(content, "sha256").hexdigest()
verified = time.perf_counter()
shutil.rmtree(folder)
print(json.dumps({"durationMs": (fetched - started) * 1000, "verifiedMs": (verified - started) * 1000, "sha256": sha256}))
