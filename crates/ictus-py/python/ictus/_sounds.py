"""The sounds of a sweep as an array, read without the package zarr, whose third version needs Python 3.11."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Sounds:
    """What a `zarr.Array` of sounds is used for: shape, dtype, attrs, and parts of it by index. Only what is asked for is read."""

    dtype = np.dtype(np.float32)
    ndim = 3

    def __init__(self, folder: Path) -> None:
        told = json.loads((folder / "zarr.json").read_text(encoding="utf-8"))
        self._folder = folder
        self._chunk = int(told["chunk_grid"]["configuration"]["chunk_shape"][0])
        self.shape: tuple[int, int, int] = tuple(told["shape"])
        self.attrs: dict[str, Any] = told["attributes"]

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<ictus.Sounds {self.shape} float32>"

    def __getitem__(self, key: Any) -> NDArray[np.float32]:
        first, rest = (key[0], key[1:]) if isinstance(key, tuple) else (key, ())
        if first is Ellipsis:
            return self[(slice(None),) * (3 - len(rest)) + tuple(rest)]
        points = np.arange(self.shape[0])[first]
        if points.ndim == 0:
            sound: NDArray[np.float32] = self._read(int(points))[tuple(rest)]
            return sound
        inner = tuple(rest)
        parts = [self._read(int(point))[inner] for point in points.ravel()]
        empty = np.empty((0, *self.shape[1:]), np.float32)[(slice(None),) + inner]
        return np.stack(parts).reshape(*points.shape, *parts[0].shape) if parts else empty

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self[:], dtype=dtype)

    def _read(self, point: int) -> NDArray[np.float32]:
        _, channels, frames = self.shape
        file = self._folder / f"c.{point // self._chunk}.0.0"
        size = channels * frames
        try:
            read = np.fromfile(file, "<f4", size, offset=4 * size * (point % self._chunk))
        except FileNotFoundError:
            # Not computed yet.
            read = np.full(size, np.nan, np.float32)
        return read.astype(np.float32, copy=False).reshape(channels, frames)
