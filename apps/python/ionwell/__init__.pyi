from os import PathLike
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_Path = Union[str, PathLike[str]]
_Progress = Optional[Callable[[str, float], Any]]
_Paths = Union[_Path, Sequence[_Path]]
_Box = Tuple[ArrayLike, ArrayLike]
_Count = Union[int, str, Tuple[Union[int, str], float]]
_Ions = Union[Mapping[str, _Count], Iterable[str], str]

class Error(Exception): ...
class UsageError(Error, ValueError): ...
class ArrayError(UsageError): ...

class TooFewPlaced(Error):
    result: Optional[Result]

class IonwellWarning(UserWarning): ...

class Structure:
    def __init__(
        self,
        positions: ArrayLike,
        charges: ArrayLike,
        radii: Optional[ArrayLike] = None,
        *,
        names: Optional[Iterable[str]] = None,
        residues: Optional[Iterable[str]] = None,
        residue_numbers: Optional[ArrayLike] = None,
        chains: Optional[Iterable[str]] = None,
        segments: Optional[Iterable[str]] = None,
        elements: Optional[Iterable[str]] = None,
        name: str = "arrays",
        input_water: str = "warn",
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def charges(self) -> NDArray[np.float64]: ...
    @property
    def radii(self) -> NDArray[np.float64]: ...
    @property
    def residue_numbers(self) -> NDArray[np.int32]: ...
    @property
    def names(self) -> NDArray[np.str_]: ...
    @property
    def residues(self) -> NDArray[np.str_]: ...
    @property
    def chains(self) -> NDArray[np.str_]: ...
    @property
    def segments(self) -> NDArray[np.str_]: ...
    @property
    def net_charge(self) -> float: ...
    @property
    def path(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    def describe(self, atom: int) -> str: ...

class Map:
    def __init__(
        self,
        values: ArrayLike,
        origin: ArrayLike,
        spacing: ArrayLike,
        unit: Optional[str] = None,
        temperature: Optional[float] = None,
    ) -> None: ...
    @property
    def values(self) -> NDArray[Any]: ...
    @property
    def origin(self) -> NDArray[np.float64]: ...
    @property
    def spacing(self) -> NDArray[np.float64]: ...
    @property
    def unit(self) -> Optional[str]: ...
    @property
    def temperature(self) -> Optional[float]: ...
    @property
    def provenance(self) -> list[tuple[str, str]]: ...
    @property
    def report(self) -> Optional[dict[str, Any]]: ...
    def save(self, path: _Path, threads: int = 0, progress: _Progress = None) -> None: ...
    def to_griddata(self) -> Any: ...
    @staticmethod
    def from_griddata(grid: Any, unit: Optional[str] = None, temperature: Optional[float] = None) -> Map: ...

class Result:
    def __len__(self) -> int: ...
    @property
    def structure(self) -> Structure: ...
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def energies(self) -> NDArray[np.float64]: ...
    @property
    def charges(self) -> NDArray[np.float64]: ...
    @property
    def names(self) -> NDArray[np.str_]: ...
    @property
    def nearest_atoms(self) -> NDArray[np.int64]: ...
    @property
    def nearest_atom_distances(self) -> NDArray[np.float64]: ...
    @property
    def nearest_ion_distances(self) -> NDArray[np.float64]: ...
    @property
    def lattice_indices(self) -> NDArray[np.int64]: ...
    @property
    def requested(self) -> int: ...
    @property
    def report(self) -> dict[str, Any]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def solute_map(self) -> Optional[Map]: ...
    @property
    def map(self) -> Optional[Map]: ...
    def to_pdb(self, *, ion_names: str = "pdb", with_solute: bool = False) -> str: ...
    def html(self) -> str: ...
    def save(self, path: _Path, *, ion_names: str = "pdb", with_solute: bool = False) -> None: ...

def read(
    *paths: _Path,
    input_water: str = "warn",
    solute: str = "",
    ignore: str = "",
    charges: Optional[str] = None,
    assembly: str = "",
    frame: int = 1,
    define: Sequence[str] = (),
    include: Sequence[_Path] = (),
    progress: _Progress = None,
) -> Structure: ...
def read_map(path: _Path, *, threads: int = 0, progress: _Progress = None) -> Map: ...
def structure(
    source: Any,
    *,
    positions: Any = None,
    charges: Optional[ArrayLike] = None,
    system: Any = None,
    input_water: str = "warn",
    name: Optional[str] = None,
) -> Structure: ...
def place(
    structure: Any,
    ions: _Ions,
    *,
    spacing: Optional[float] = None,
    border: Optional[float] = None,
    box: Optional[_Box] = None,
    ion_solute: Optional[float] = None,
    ion_ion: Optional[float] = None,
    max_energy: Optional[float] = None,
    allow_fewer: bool = False,
    dielectric: Optional[float] = None,
    ddd: Optional[float] = None,
    ionic_strength: Optional[float] = None,
    temperature: Optional[float] = None,
    method: Optional[str] = None,
    msm_cutoff: Optional[float] = None,
    msm_spacing: Optional[float] = None,
    msm_basis: Optional[str] = None,
    map: Optional[_Paths] = None,
    map_unit: Optional[str] = None,
    map_interpolation: Optional[str] = None,
    update: Optional[str] = None,
    update_dielectric: Optional[float] = None,
    pb: Optional[str] = None,
    pb_every: Optional[int] = None,
    pb_options: Optional[Mapping[str, Any]] = None,
    model: Optional[str] = None,
    model_file: Optional[_Path] = None,
    backend: str = "auto",
    devices: Optional[Sequence[int]] = None,
    gpu_memory: Optional[float] = None,
    threads: Optional[int] = None,
    refine: Optional[bool] = None,
    ion_names: str = "pdb",
    maps: bool = False,
    progress: _Progress = None,
) -> Result: ...
@overload
def potential(
    structure: Any,
    at: None = None,
    *,
    unit: str = "kT/e",
    spacing: Optional[float] = None,
    border: Optional[float] = None,
    box: Optional[_Box] = None,
    dielectric: Optional[float] = None,
    ddd: Optional[float] = None,
    ionic_strength: Optional[float] = None,
    temperature: Optional[float] = None,
    method: Optional[str] = None,
    error: None = None,
    msm_cutoff: Optional[float] = None,
    msm_spacing: Optional[float] = None,
    msm_basis: Optional[str] = None,
    map: None = None,
    map_unit: None = None,
    map_interpolation: None = None,
    pb: Optional[str] = None,
    pb_options: Optional[Mapping[str, Any]] = None,
    backend: str = "auto",
    devices: Optional[Sequence[int]] = None,
    gpu_memory: Optional[float] = None,
    threads: Optional[int] = None,
    progress: _Progress = None,
) -> Map: ...
@overload
def potential(
    structure: Any,
    at: ArrayLike,
    *,
    unit: str = "kT/e",
    spacing: Optional[float] = None,
    border: Optional[float] = None,
    box: Optional[_Box] = None,
    dielectric: Optional[float] = None,
    ddd: Optional[float] = None,
    ionic_strength: Optional[float] = None,
    temperature: Optional[float] = None,
    method: Optional[str] = None,
    error: Optional[float] = None,
    msm_cutoff: None = None,
    msm_spacing: None = None,
    msm_basis: None = None,
    map: Optional[_Paths] = None,
    map_unit: Optional[str] = None,
    map_interpolation: Optional[str] = None,
    pb: Optional[str] = None,
    pb_options: Optional[Mapping[str, Any]] = None,
    backend: str = "auto",
    devices: Optional[Sequence[int]] = None,
    gpu_memory: Optional[float] = None,
    threads: Optional[int] = None,
    progress: _Progress = None,
) -> NDArray[np.float64]: ...
