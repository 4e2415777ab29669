# SPDX-License-Identifier: BSD-3-Clause
from os import PathLike
from typing import Any, Callable, Iterable, Literal, Mapping, Optional, Sequence, Tuple, Union, overload

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
class ExportError(Error, BufferError): ...

class TooFewPlaced(Error):
    result: Union[Result, System, None]

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
        insertion_codes: Optional[Iterable[str]] = None,
        chains: Optional[Iterable[str]] = None,
        segments: Optional[Iterable[str]] = None,
        elements: Optional[Iterable[str]] = None,
        cell: Optional[ArrayLike] = None,
        cell_kind: str = "simulation",
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
    def chemistry(self) -> list[dict[str, Optional[str]]]: ...
    @property
    def names(self) -> NDArray[np.str_]: ...
    @property
    def residues(self) -> NDArray[np.str_]: ...
    @property
    def chains(self) -> NDArray[np.str_]: ...
    @property
    def segments(self) -> NDArray[np.str_]: ...
    @property
    def cell(self) -> Optional[NDArray[np.float64]]: ...
    @property
    def cell_kind(self) -> Optional[str]: ...
    @property
    def net_charge(self) -> float: ...
    @property
    def path(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
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
    def __dlpack__(
        self,
        *,
        stream: Optional[int] = None,
        max_version: Optional[Tuple[int, int]] = None,
        dl_device: Optional[Tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> Tuple[int, int]: ...
    def save(self, path: _Path, threads: int = 0, progress: _Progress = None) -> None: ...
    def to_griddata(self) -> Any: ...
    def to_dataframe(self) -> Any: ...
    def plot(
        self,
        *,
        axis: Optional[Literal["x", "y", "z"]] = None,
        at: Optional[float] = None,
        limit: Optional[float] = None,
        ax: Any = None,
    ) -> Any: ...
    def _repr_html_(self) -> str: ...
    @staticmethod
    def from_griddata(grid: Any, unit: Optional[str] = None, temperature: Optional[float] = None) -> Map: ...

class DeviceMap:
    @property
    def shape(self) -> Tuple[int, int, int]: ...
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
    def report(self) -> dict[str, Any]: ...
    def to_map(self) -> Map: ...
    def __dlpack__(
        self,
        *,
        stream: Optional[int] = None,
        max_version: Optional[Tuple[int, int]] = None,
        dl_device: Optional[Tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> Tuple[int, int]: ...

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
    def notes(self) -> list[str]: ...
    @property
    def solute_map(self) -> Optional[Map]: ...
    @property
    def map(self) -> Optional[Map]: ...
    def to_dataframe(self) -> Any: ...
    def plot(self, *, axis: Optional[Literal["x", "y", "z"]] = None, solute: bool = True, ax: Any = None) -> Any: ...
    def _repr_html_(self) -> str: ...
    def to_pdb(self, *, ion_names: str = "pdb", with_solute: bool = False) -> str: ...
    def html(self) -> str: ...
    def save(
        self,
        path: _Path,
        *,
        ion_names: str = "pdb",
        with_solute: bool = False,
        engine: Optional[str] = None,
        pdb_serials: str = "wrapped",
    ) -> None: ...

class Sample:
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def names(self) -> NDArray[np.str_]: ...
    @property
    def charges(self) -> NDArray[np.float64]: ...
    @property
    def energy(self) -> float: ...
    @property
    def samples(self) -> int: ...
    @property
    def densities(self) -> dict[str, Map]: ...
    @property
    def occupancies(self) -> dict[str, Map]: ...
    @property
    def rdf_csv(self) -> str: ...
    @property
    def report(self) -> dict[str, Any]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
    def to_pdb(self, *, ion_names: str = "pdb", with_solute: bool = False) -> str: ...
    def save(
        self, path: _Path, *, ion_names: str = "pdb", with_solute: bool = False, pdb_serials: str = "wrapped"
    ) -> None: ...

class Average:
    @property
    def frames(self) -> int: ...
    @property
    def mean(self) -> Map: ...
    @property
    def sd(self) -> Optional[Map]: ...
    @property
    def se(self) -> Optional[Map]: ...
    @property
    def report(self) -> dict[str, Any]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...

class System:
    def __len__(self) -> int: ...
    @property
    def structure(self) -> Structure: ...
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def names(self) -> NDArray[np.str_]: ...
    @property
    def residues(self) -> NDArray[np.str_]: ...
    @property
    def box(self) -> NDArray[np.float64]: ...
    @property
    def cell(self) -> NDArray[np.float64]: ...
    @property
    def solute_atoms(self) -> int: ...
    @property
    def waters(self) -> int: ...
    @property
    def ion_names(self) -> NDArray[np.str_]: ...
    @property
    def ion_positions(self) -> NDArray[np.float64]: ...
    @property
    def ion_charges(self) -> NDArray[np.float64]: ...
    @property
    def ion_energies(self) -> NDArray[np.float64]: ...
    @property
    def chemistry(self) -> list[dict[str, Optional[str]]]: ...
    @property
    def report(self) -> dict[str, Any]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
    def to_dataframe(self) -> Any: ...
    def plot(self, *, axis: Optional[Literal["x", "y", "z"]] = None, solute: bool = True, ax: Any = None) -> Any: ...
    def _repr_html_(self) -> str: ...
    def html(self) -> str: ...
    def save(
        self,
        path: _Path,
        *,
        engine: Optional[str] = None,
        ion_names: Optional[str] = None,
        water_names: Optional[str] = None,
        pdb_serials: str = "wrapped",
        progress: _Progress = None,
    ) -> None: ...

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
    ligands: Sequence[_Path] = (),
    ph: Optional[float] = None,
    five_phosphate: Optional[str] = None,
    crystal_ions: Optional[str] = None,
    gap_ends: Optional[str] = None,
    replace_nonstandard: bool = False,
    allow_missing: bool = False,
    progress: _Progress = None,
) -> Structure: ...
def read_sites(
    path: _Path,
    *,
    which: Literal["ions", "all"] = "ions",
    weights: Literal["none", "occupancy", "bfactor"] = "none",
) -> Tuple[NDArray[np.float64], Optional[NDArray[np.float64]]]: ...
def compare(
    ions: ArrayLike,
    sites: ArrayLike,
    *,
    weights: Optional[ArrayLike] = None,
    distances: Optional[ArrayLike] = None,
    random_around: Any = None,
    ion_solute: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
) -> dict[str, Any]: ...
def read_map(path: _Path, *, threads: int = 0, progress: _Progress = None) -> Map: ...
def solvate(
    structure: Any,
    *,
    padding: Optional[float] = None,
    cell_shape: Optional[str] = None,
    cell: Optional[ArrayLike] = None,
    orient: bool = False,
    cutoff: Optional[float] = None,
    water_model: Optional[str] = None,
    solute: Optional[str] = None,
    ignore: Optional[str] = None,
    input_water: Optional[str] = None,
    assembly: Optional[str] = None,
    frame: Optional[int] = None,
    define: Sequence[str] = (),
    include: Sequence[_Path] = (),
    charges: Optional[str] = None,
    ph: Optional[float] = None,
    ligands: Sequence[_Path] = (),
    five_phosphate: Optional[str] = None,
    crystal_ions: Optional[str] = None,
    gap_ends: Optional[str] = None,
    replace_nonstandard: bool = False,
    allow_missing: bool = False,
    engine: Optional[str] = None,
    force_field: Optional[str] = None,
    threads: Optional[int] = None,
    smallest_cavity: Optional[int] = None,
    progress: _Progress = None,
) -> System: ...
def prepare(
    structure: Any,
    ions: Optional[_Ions] = None,
    *,
    ion_solute: Optional[float] = None,
    ion_ion: Optional[float] = None,
    max_energy: Optional[float] = None,
    allow_fewer: bool = False,
    model: Optional[str] = None,
    hydrate: Union[Mapping[str, Optional[int]], str, Sequence[str]] = (),
    salt: Union[Mapping[str, float], Iterable[str], str, None] = None,
    scheme: Optional[str] = None,
    salt_by: Optional[str] = None,
    seed: Optional[int] = None,
    water_model: Optional[str] = None,
    boundary: Optional[str] = None,
    water_acts: bool = False,
    near: Union[Sequence[str], str] = (),
    not_near: Union[Sequence[str], str] = (),
    inside_z: Union[Tuple[float, float], str, None] = None,
    padding: Optional[float] = None,
    cell_shape: Optional[str] = None,
    cell: Optional[ArrayLike] = None,
    orient: bool = False,
    cutoff: Optional[float] = None,
    solute: Optional[str] = None,
    ignore: Optional[str] = None,
    input_water: Optional[str] = None,
    assembly: Optional[str] = None,
    frame: Optional[int] = None,
    define: Sequence[str] = (),
    include: Sequence[_Path] = (),
    charges: Optional[str] = None,
    ph: Optional[float] = None,
    ligands: Sequence[_Path] = (),
    five_phosphate: Optional[str] = None,
    crystal_ions: Optional[str] = None,
    gap_ends: Optional[str] = None,
    replace_nonstandard: bool = False,
    allow_missing: bool = False,
    engine: Optional[str] = None,
    force_field: Optional[str] = None,
    ion_names: str = "pdb",
    dielectric: Optional[float] = None,
    ddd: Optional[float] = None,
    ionic_strength: Optional[float] = None,
    temperature: Optional[float] = None,
    backend: str = "auto",
    devices: Optional[Sequence[int]] = None,
    threads: Optional[int] = None,
    model_file: Optional[_Path] = None,
    salt_solute: Optional[float] = None,
    smallest_cavity: Optional[int] = None,
    keep_water: Optional[float] = None,
    replace_crystal_water: bool = False,
    in_membrane: bool = False,
    gpu_memory: Optional[float] = None,
    simd: Optional[str] = None,
    progress: _Progress = None,
) -> System: ...
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
    ion_solute: Optional[float] = None,
    ion_ion: Optional[float] = None,
    max_energy: Optional[float] = None,
    allow_fewer: bool = False,
    model: Optional[str] = None,
    hydrate: Union[Mapping[str, Optional[int]], str, Sequence[str]] = (),
    hydrate_as: Optional[str] = None,
    boundary: Optional[str] = None,
    ion_names: str = "pdb",
    spacing: Optional[float] = None,
    border: Optional[float] = None,
    box: Optional[_Box] = None,
    dielectric: Optional[float] = None,
    ddd: Optional[float] = None,
    ionic_strength: Optional[float] = None,
    temperature: Optional[float] = None,
    map: Optional[_Paths] = None,
    map_unit: Optional[str] = None,
    update: Optional[str] = None,
    pb: Optional[str] = None,
    pb_every: Optional[int] = None,
    pb_options: Optional[Mapping[str, Any]] = None,
    pb_energy: Optional[bool] = None,
    radii: Optional[Mapping[str, float]] = None,
    method: Optional[str] = None,
    accuracy: Optional[float] = None,
    backend: str = "auto",
    devices: Optional[Sequence[int]] = None,
    threads: Optional[int] = None,
    model_file: Optional[_Path] = None,
    hydrate_water: Optional[str] = None,
    map_interpolation: Optional[str] = None,
    update_dielectric: Optional[float] = None,
    pb_timeout: Optional[float] = None,
    pb_program: Optional[_Path] = None,
    keep_scratch: Optional[_Path] = None,
    msm_cutoff: Optional[float] = None,
    msm_spacing: Optional[float] = None,
    msm_basis: Optional[str] = None,
    gpu_memory: Optional[float] = None,
    simd: Optional[str] = None,
    refine: Optional[bool] = None,
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
    pb: Optional[str] = None,
    pb_options: Optional[Mapping[str, Any]] = None,
    pb_energy: Optional[bool] = None,
    method: Optional[str] = None,
    accuracy: Optional[float] = None,
    backend: str = "auto",
    devices: Optional[Sequence[int]] = None,
    threads: Optional[int] = None,
    msm_cutoff: Optional[float] = None,
    msm_spacing: Optional[float] = None,
    msm_basis: Optional[str] = None,
    gpu_memory: Optional[float] = None,
    simd: Optional[str] = None,
    alpb: None = None,
    solute_dielectric: None = None,
    map: None = None,
    map_unit: None = None,
    map_interpolation: None = None,
    keep_on_device: Literal[False] = False,
    progress: _Progress = None,
) -> Map: ...
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
    pb: Optional[str] = None,
    pb_options: Optional[Mapping[str, Any]] = None,
    pb_energy: Optional[bool] = None,
    method: Optional[str] = None,
    accuracy: Optional[float] = None,
    backend: str = "auto",
    devices: Optional[Sequence[int]] = None,
    threads: Optional[int] = None,
    msm_cutoff: Optional[float] = None,
    msm_spacing: Optional[float] = None,
    msm_basis: Optional[str] = None,
    gpu_memory: Optional[float] = None,
    simd: Optional[str] = None,
    alpb: None = None,
    solute_dielectric: None = None,
    map: None = None,
    map_unit: None = None,
    map_interpolation: None = None,
    keep_on_device: Literal[True],
    progress: _Progress = None,
) -> DeviceMap: ...
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
    pb: Optional[str] = None,
    pb_options: Optional[Mapping[str, Any]] = None,
    pb_energy: None = None,
    method: Optional[str] = None,
    accuracy: Optional[float] = None,
    backend: str = "auto",
    devices: Optional[Sequence[int]] = None,
    threads: Optional[int] = None,
    msm_cutoff: None = None,
    msm_spacing: None = None,
    msm_basis: None = None,
    gpu_memory: Optional[float] = None,
    simd: Optional[str] = None,
    alpb: Optional[bool] = None,
    solute_dielectric: Optional[float] = None,
    map: Optional[_Paths] = None,
    map_unit: Optional[str] = None,
    map_interpolation: Optional[str] = None,
    keep_on_device: Literal[False] = False,
    progress: _Progress = None,
) -> NDArray[np.float64]: ...
def average(
    topology: _Path,
    *trajectories: _Path,
    unit: str = "kT/e",
    blocks: Optional[int] = None,
    first: Optional[int] = None,
    last: Optional[int] = None,
    every: Optional[int] = None,
    fit: Optional[str] = None,
    reference: Optional[_Path] = None,
    keep_images: bool = False,
    skip_bad_frames: bool = False,
    solute: Optional[str] = None,
    ignore: Optional[str] = None,
    input_water: Optional[str] = None,
    define: Sequence[str] = (),
    include: Sequence[_Path] = (),
    spacing: Optional[float] = None,
    border: Optional[float] = None,
    box: Optional[_Box] = None,
    lattice_from: Optional[str] = None,
    dielectric: Optional[float] = None,
    ddd: Optional[float] = None,
    ionic_strength: Optional[float] = None,
    temperature: Optional[float] = None,
    boundary: Optional[str] = None,
    ewald_factor: Optional[float] = None,
    method: Optional[str] = None,
    accuracy: Optional[float] = None,
    backend: str = "auto",
    devices: Optional[Sequence[int]] = None,
    threads: Optional[int] = None,
    msm_cutoff: Optional[float] = None,
    msm_spacing: Optional[float] = None,
    msm_basis: Optional[str] = None,
    gpu_memory: Optional[float] = None,
    simd: Optional[str] = None,
    sd: bool = False,
    se: bool = False,
    progress: _Progress = None,
) -> Average: ...
def sample(
    structure: Any,
    ions: Optional[_Ions] = None,
    *,
    salt: Union[Mapping[str, float], Iterable[str], str, None] = None,
    radii: Optional[Mapping[str, float]] = None,
    repulsion: Optional[str] = None,
    start: Optional[_Path] = None,
    sampler: Optional[str] = None,
    sweeps: Optional[int] = None,
    steps: Optional[int] = None,
    time_step: Optional[float] = None,
    diffusions: Optional[Mapping[str, float]] = None,
    equilibration: Optional[int] = None,
    sample_every: Optional[int] = None,
    replicas: Optional[int] = None,
    blocks: Optional[int] = None,
    seed: Optional[int] = None,
    ion_names: str = "pdb",
    density: bool = False,
    around: Union[Sequence[str], str] = (),
    rdf_reach: Optional[float] = None,
    within: Optional[ArrayLike] = None,
    boundary: Optional[str] = None,
    cell: Optional[ArrayLike] = None,
    wall_distance: Optional[float] = None,
    box: Optional[_Box] = None,
    spacing: Optional[float] = None,
    dielectric: Optional[float] = None,
    ddd: Optional[float] = None,
    ionic_strength: Optional[float] = None,
    temperature: Optional[float] = None,
    map: Optional[_Paths] = None,
    map_unit: Optional[str] = None,
    update: Optional[str] = None,
    pb: Optional[str] = None,
    pb_options: Optional[Mapping[str, Any]] = None,
    method: Optional[str] = None,
    accuracy: Optional[float] = None,
    backend: str = "auto",
    devices: Optional[Sequence[int]] = None,
    threads: Optional[int] = None,
    bulk_sweeps: Optional[int] = None,
    density_spacing: Optional[float] = None,
    rdf_step: Optional[float] = None,
    interpolation: Optional[str] = None,
    map_interpolation: Optional[str] = None,
    update_dielectric: Optional[float] = None,
    msm_cutoff: Optional[float] = None,
    msm_spacing: Optional[float] = None,
    msm_basis: Optional[str] = None,
    gpu_memory: Optional[float] = None,
    simd: Optional[str] = None,
    progress: _Progress = None,
) -> Sample: ...
