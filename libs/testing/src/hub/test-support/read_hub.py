"""Reads a repository with the hub's official Python client and prints what it saw as JSON."""

import hashlib
import json
import sys

from huggingface_hub import HfApi, get_hf_file_metadata, hf_hub_download, hf_hub_url
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

endpoint, repo, gated, large, small, token, cache = sys.argv[1:]
api = HfApi(endpoint=endpoint, token=False)


def error_of(call):
    try:
        call()
    except (GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError, EntryNotFoundError) as error:
        return type(error).__name__
    return None


def download(name, **options):
    options = {"cache_dir": cache, **options}
    path = hf_hub_download(options.pop("repo", repo), name, endpoint=endpoint, **options)
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


info = api.model_info(repo)
metadata = get_hf_file_metadata(hf_hub_url(repo, large, endpoint=endpoint), token=False)
seen = {
    "models": [model.id for model in api.list_models(sort="downloads")],
    "searched": [model.id for model in api.list_models(search="tiny", pipeline_tag="text-generation")],
    "info": {"id": info.id, "sha": info.sha, "files": [sibling.rfilename for sibling in info.siblings]},
    "tree": {
        item.path: {"size": item.size, "sha256": item.lfs.sha256 if item.lfs else None}
        for item in api.list_repo_tree(repo, recursive=True)
        if hasattr(item, "size")
    },
    "paths": [item.path for item in api.get_paths_info(repo, [small, "missing"])],
    "metadata": {"etag": metadata.etag, "size": metadata.size, "commit": metadata.commit_hash},
    "large": download(large, token=False),
    "small": download(small, token=False),
    "gatedWithToken": download(large, repo=gated, token=token),
    "errors": {
        "gated": error_of(lambda: download(large, repo=gated, token=False, cache_dir=cache + "-empty")),
        "gatedForOthers": error_of(lambda: download(large, repo=gated, token="hf_other", cache_dir=cache + "-empty")),
        "repo": error_of(lambda: api.model_info("nobody/nothing")),
        "revision": error_of(lambda: api.model_info(repo, revision="other")),
        "entry": error_of(lambda: download("missing.bin", token=False)),
    },
}
print(json.dumps(seen))
