"""Serves a CTranslate2 Whisper model with the transcription route of the OpenAI API.

usage: whisper_server.py SETTINGS_FILE

The key that callers must show is in the variable ENGINE_API_KEY, since arguments and files are easier to read.
"""

import hmac
import json
import os
import signal
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from faster_whisper import WhisperModel
from faster_whisper.audio import decode_audio
from python_multipart import create_form_parser
from python_multipart.exceptions import MultipartParseError

CHUNK_BYTES = 64 * 1024
MAX_FIELD_BYTES = 64 * 1024
MAX_FIELDS = 32
IDLE_TIMEOUT_S = 75
FORMATS = ("json", "text", "verbose_json", "srt", "vtt")


class Refused(Exception):
    """A request that is answered with an error of the OpenAI API."""

    def __init__(self, status, message, param=None):
        super().__init__(message)
        self.status = status
        self.param = param


class State:
    """What all requests share; the model is None until it is loaded."""

    def __init__(self, settings, api_key):
        self.settings = settings
        self.expected = f"Bearer {api_key}".encode()
        self.model = None
        # One transcription uses all processors by itself.
        self.turn = threading.Lock()

    def load(self):
        settings = self.settings
        self.model = WhisperModel(
            settings["modelPath"],
            device=settings["device"],
            compute_type=settings["computeType"],
            cpu_threads=settings["threads"],
            local_files_only=True,
        )


class Form:
    """The fields of a multipart body; its file is kept on disk."""

    def __init__(self):
        self.fields = {}
        self.file = None

    def on_field(self, field):
        value = (field.value or b"").decode("utf-8", "replace")
        self.fields.setdefault(field.field_name.decode("utf-8", "replace"), value)

    def on_file(self, file):
        if file.field_name == b"file":
            self.file = file


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE_TIMEOUT_S
    state = None

    def log_message(self, format, *args):
        sys.stderr.write("%s\n" % (format % args))

    def do_GET(self):
        self.answer(self.get)

    def do_POST(self):
        self.answer(self.post)

    def answer(self, handle):
        self.remaining = int(self.headers.get("content-length") or 0)
        try:
            if self.headers.get("transfer-encoding"):
                self.close_connection = True
                raise Refused(411, "The body must have a length")
            status, media_type, body = handle()
        except Refused as error:
            kind = "authentication_error" if error.status == 401 else "invalid_request_error"
            body = {"error": {"message": str(error), "type": kind, "param": error.param, "code": None}}
            status, media_type = error.status, "application/json"
        except (ConnectionError, TimeoutError):
            self.close_connection = True
            return
        except Exception as error:
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            message = "The transcription failed"
            body = {"error": {"message": message, "type": "server_error", "param": None, "code": None}}
            status, media_type = 500, "application/json"
        self.drain()
        data = body.encode() if isinstance(body, str) else json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-type", media_type)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def drain(self):
        # The caller may send all of its body before it reads the answer.
        while self.remaining > 0 and self.read(CHUNK_BYTES):
            pass

    def read(self, size):
        data = self.rfile.read(min(size, self.remaining))
        if not data:
            self.remaining = 0
        self.remaining -= len(data)
        return data

    def get(self):
        if self.path == "/health":
            if self.state.model is None:
                return 503, "application/json", {"status": "loading"}
            return 200, "application/json", {"status": "ok"}
        self.authenticate()
        if self.path == "/v1/models":
            model = {"id": self.state.settings["alias"], "object": "model", "created": 0, "owned_by": "self"}
            return 200, "application/json", {"object": "list", "data": [model]}
        raise Refused(404, "Not found")

    def post(self):
        self.authenticate()
        if self.path != "/v1/audio/transcriptions":
            raise Refused(404, "Not found")
        if self.state.model is None:
            raise Refused(503, "The model is being loaded")
        with tempfile.TemporaryDirectory(prefix="clew-audio-") as folder:
            form = self.read_form(folder)
            if form.file is None:
                raise Refused(400, "file is required", "file")
            audio = form.file.file_object
            try:
                audio.seek(0)
                return self.transcribe(audio, form.fields)
            finally:
                audio.close()

    def authenticate(self):
        given = (self.headers.get("authorization") or "").encode()
        if not hmac.compare_digest(given, self.state.expected):
            raise Refused(401, "Invalid API key")

    def read_form(self, folder):
        form = Form()
        config = {
            "UPLOAD_DIR": folder,
            "MAX_MEMORY_FILE_SIZE": 0,
            "MAX_FIELDS": MAX_FIELDS,
            "MAX_FIELD_SIZE": MAX_FIELD_BYTES,
        }
        headers = {"Content-Type": (self.headers.get("content-type") or "").encode()}
        if not headers["Content-Type"].lower().startswith(b"multipart/form-data"):
            raise Refused(415, "content-type must be multipart/form-data")
        try:
            parser = create_form_parser(headers, form.on_field, form.on_file, config=config)
            while self.remaining > 0:
                data = self.read(CHUNK_BYTES)
                if not data:
                    raise Refused(400, "The body ended early")
                parser.write(data)
            parser.finalize()
        except (MultipartParseError, ValueError) as error:
            raise Refused(400, "The body is not valid multipart/form-data") from error
        return form

    def transcribe(self, file, fields):
        response_format = fields.get("response_format", "json")
        if response_format not in FORMATS:
            raise Refused(400, f"response_format must be one of {', '.join(FORMATS)}", "response_format")
        options = {"language": fields.get("language") or None, "initial_prompt": fields.get("prompt") or None}
        if "temperature" in fields:
            options["temperature"] = number_from_0_to_1(fields["temperature"])
        granularity = fields.get("timestamp_granularities[]", "segment")
        options["word_timestamps"] = granularity == "word"
        try:
            audio = decode_audio(file)
        except Exception as error:
            raise Refused(400, "The file is not audio that can be read", "file") from error
        with self.state.turn:
            try:
                segments, info = self.state.model.transcribe(audio, **options)
            except ValueError as error:
                raise Refused(400, str(error)) from error
            segments = list(segments)
        return rendered(response_format, segments, info)


def number_from_0_to_1(text):
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise Refused(400, "temperature must be a number from 0 to 1", "temperature")
    return value


def rendered(response_format, segments, info):
    text = "".join(segment.text for segment in segments).strip()
    if response_format == "text":
        return 200, "text/plain; charset=utf-8", text + "\n"
    if response_format == "srt":
        blocks = [
            f"{number}\n{timestamp(segment.start, ',')} --> {timestamp(segment.end, ',')}\n{segment.text.strip()}\n"
            for number, segment in enumerate(segments, start=1)
        ]
        return 200, "text/plain; charset=utf-8", "\n".join(blocks)
    if response_format == "vtt":
        blocks = [
            f"{timestamp(segment.start, '.')} --> {timestamp(segment.end, '.')}\n{segment.text.strip()}\n"
            for segment in segments
        ]
        return 200, "text/vtt; charset=utf-8", "WEBVTT\n\n" + "\n".join(blocks)
    if response_format == "json":
        return 200, "application/json", {"text": text}
    body = {
        "task": "transcribe",
        "language": info.language,
        "duration": info.duration,
        "text": text,
        "segments": [described(segment) for segment in segments],
    }
    words = [word for segment in segments for word in (segment.words or [])]
    if words:
        body["words"] = [{"word": word.word.strip(), "start": word.start, "end": word.end} for word in words]
    return 200, "application/json", body


def described(segment):
    return {
        "id": segment.id,
        "seek": segment.seek,
        "start": segment.start,
        "end": segment.end,
        "text": segment.text,
        "tokens": segment.tokens,
        "temperature": segment.temperature,
        "avg_logprob": segment.avg_logprob,
        "compression_ratio": segment.compression_ratio,
        "no_speech_prob": segment.no_speech_prob,
    }


def timestamp(seconds, separator):
    milliseconds = round(seconds * 1000)
    hours, milliseconds = divmod(milliseconds, 3_600_000)
    minutes, milliseconds = divmod(milliseconds, 60_000)
    whole, milliseconds = divmod(milliseconds, 1_000)
    return f"{hours:02}:{minutes:02}:{whole:02}{separator}{milliseconds:03}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    state = State(settings, os.environ.pop("ENGINE_API_KEY"))
    Handler.state = state
    ThreadingHTTPServer.daemon_threads = True
    server = ThreadingHTTPServer((settings["host"], settings["port"]), Handler)
    # There is nothing to save: a request in hand is one that its caller repeats.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    state.load()
    print("model loaded", flush=True)
    while True:
        signal.pause()


main()
