# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of another library, as DLPack has them in memory, without such a library."""
import ctypes

HOST, CUDA = 1, 2
INT, UNSIGNED, FLOAT, COMPLEX = 0, 1, 2, 5
COPIED = 2  # flag


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("number", ctypes.c_int32)]


class Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("dimensions", ctypes.c_int32), ("type", Type),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", Deleter)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", Deleter), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


_api = ctypes.pythonapi
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_GetName.restype = ctypes.c_char_p
_api.PyCapsule_GetName.argtypes = [ctypes.py_object]

_NAMES = {b"dltensor": Managed, b"dltensor_versioned": Versioned}
_used = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}  # names that live on


def opened(capsule):
    """The structure in a capsule, whose owner it stays."""
    name = _api.PyCapsule_GetName(capsule)
    managed = _NAMES[name].from_address(_api.PyCapsule_GetPointer(capsule, name))
    managed.capsule = capsule  # which frees it in the end
    return managed


def taken(capsule):
    """The same as a consumer does it: deleter(address) is for us to call, once."""
    name = _api.PyCapsule_GetName(capsule)
    address = _api.PyCapsule_GetPointer(capsule, name)
    _api.PyCapsule_SetName(capsule, _used[name])
    managed = _NAMES[name].from_address(address)
    return managed, lambda: managed.deleter(address)


class Foreign:
    """What a library gives that has these numbers in memory at `address`; keeps `owner`."""

    def __init__(self, address, shape, strides=None, kind=FLOAT, bits=64, device=(HOST, 0), offset=0, owner=None,
                 versioned=True, major=1, lanes=1):
        self.shape, self.device, self.owner, self.versioned = (ctypes.c_int64 * len(shape))(*shape), device, owner, versioned
        self.strides = None if strides is None else (ctypes.c_int64 * len(strides))(*strides)
        tensor = Tensor(address, Device(*device), len(shape), Type(kind, bits, lanes), self.shape, self.strides, offset)
        self.managed = Versioned(major, 0, None, Deleter(), 0, tensor) if versioned else Managed(tensor, None, Deleter())
        self.asked = []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        if "max_version" in keywords and not self.versioned:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        return _api.PyCapsule_New(ctypes.addressof(self.managed), b"dltensor_versioned" if self.versioned else b"dltensor", None)
