"""WAV files: 32-bit floating point for keeps, 16-bit integers for a notebook."""

from __future__ import annotations

import os
import struct
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ._ictus import Problem

_INTEGER, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_IDENTIFIER = bytes([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
_LARGEST = 2**32 - 101


def _file(samples: bytes, tag: int, width: int, channels: int, rate: int) -> bytes:
    frame = width * channels
    extensible = channels > 2
    form = struct.pack(
        "<HHIIHH", _EXTENSIBLE if extensible else tag, channels, rate, min(rate * frame, 2**32 - 1), frame, 8 * width
    )
    if extensible:
        form += struct.pack("<HHIH", 22, 8 * width, 0, tag) + _IDENTIFIER
    elif tag == _FLOAT:
        form += struct.pack("<H", 0)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form
    if tag == _FLOAT:
        chunks += b"fact" + struct.pack("<II", 4, len(samples) // frame)
    chunks += b"data" + struct.pack("<I", len(samples))
    odd = b"\0" * (len(samples) % 2)
    return b"RIFF" + struct.pack("<I", 4 + len(chunks) + len(samples) + len(odd)) + b"WAVE" + chunks + samples + odd


def playable(audio: NDArray[np.float32], rate: int) -> bytes:
    """A file of 16-bit integers that every browser plays; what exceeds full scale is brought to it."""
    peak = max(1.0, float(np.abs(audio).max(initial=0.0)))
    integers = np.round(audio.T * (32767.0 / peak)).astype("<i2")
    return _file(integers.tobytes(), _INTEGER, 2, audio.shape[0], rate)


def save(path: str | os.PathLike[str], audio: NDArray[np.float32], rate: int) -> None:
    """Writes a file of 32-bit floating point numbers, whole or not at all."""
    target = Path(path)
    if target.suffix.lower() != ".wav":
        raise Problem(f"{str(target)!r} must end in .wav")
    if 4 * audio.size > _LARGEST:
        raise Problem("the sound is longer than a WAV file can hold")
    whole = _file(np.ascontiguousarray(audio.T, dtype="<f4").tobytes(), _FLOAT, 4, audio.shape[0], rate)
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.stem}-", suffix=".wav", delete=False) as file:
        try:
            file.write(whole)
            file.flush()
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(file.name, 0o666 & ~umask)
        except BaseException:
            os.unlink(file.name)
            raise
    try:
        os.replace(file.name, target)
    except BaseException:
        os.unlink(file.name)
        raise
