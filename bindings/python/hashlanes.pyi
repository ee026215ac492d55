from collections.abc import Callable, Iterable
from os import PathLike
from typing import Literal, final, overload

from typing_extensions import Buffer

_Family = Literal["ssz", "bitcoin", "rfc6962"]
_ParameterSet = Literal[
    "SLH-DSA-SHA2-128s",
    "SLH-DSA-SHAKE-128s",
    "SLH-DSA-SHA2-128f",
    "SLH-DSA-SHAKE-128f",
    "SLH-DSA-SHA2-192s",
    "SLH-DSA-SHAKE-192s",
    "SLH-DSA-SHA2-192f",
    "SLH-DSA-SHAKE-192f",
    "SLH-DSA-SHA2-256s",
    "SLH-DSA-SHAKE-256s",
    "SLH-DSA-SHA2-256f",
    "SLH-DSA-SHAKE-256f",
]

_Name = Literal[
    "sha256",
    "sha512",
    "keccak256",
    "sha3_256",
    "sha1",
    "ripemd160",
    "hash160",
    "sumhash512",
]

__all__ = [
    "Hasher",
    "ManyHasher",
    "MerkleTree",
    "SlhDsaSigningKey",
    "__version__",
    "backend",
    "hash160_many",
    "hash_files",
    "hmac_sha256_many",
    "keccak256_many",
    "merkle_root",
    "pbkdf2_sha256_many",
    "rfc6962_leaves",
    "ripemd160_many",
    "sha1_many",
    "sha256_chains",
    "sha256_many",
    "sha256_pairs",
    "sha3_256_many",
    "sha512_chains",
    "sha512_many",
    "shake256_chains",
    "slh_dsa_verify",
    "slh_dsa_verify_many",
    "sumhash512_many",
    "verify_proof",
]

__version__: str

def backend() -> str: ...
@overload
def sha256_many(messages: Iterable[Buffer], length: None = None) -> list[bytes]: ...
@overload
def sha256_many(messages: Buffer, length: int) -> bytes: ...
@overload
def sha512_many(messages: Iterable[Buffer], length: None = None) -> list[bytes]: ...
@overload
def sha512_many(messages: Buffer, length: int) -> bytes: ...
@overload
def keccak256_many(messages: Iterable[Buffer], length: None = None) -> list[bytes]: ...
@overload
def keccak256_many(messages: Buffer, length: int) -> bytes: ...
@overload
def sha3_256_many(messages: Iterable[Buffer], length: None = None) -> list[bytes]: ...
@overload
def sha3_256_many(messages: Buffer, length: int) -> bytes: ...
@overload
def sha1_many(messages: Iterable[Buffer], length: None = None) -> list[bytes]: ...
@overload
def sha1_many(messages: Buffer, length: int) -> bytes: ...
@overload
def ripemd160_many(messages: Iterable[Buffer], length: None = None) -> list[bytes]: ...
@overload
def ripemd160_many(messages: Buffer, length: int) -> bytes: ...
@overload
def hash160_many(messages: Iterable[Buffer], length: None = None) -> list[bytes]: ...
@overload
def hash160_many(messages: Buffer, length: int) -> bytes: ...
@overload
def sumhash512_many(messages: Iterable[Buffer], length: None = None) -> list[bytes]: ...
@overload
def sumhash512_many(messages: Buffer, length: int) -> bytes: ...
def sha256_pairs(buffer: Buffer, double: bool = False) -> bytes: ...
def sha256_chains(
    messages: Buffer,
    steps: Iterable[int],
    length: int = 32,
    *,
    value: tuple[int, int] | None = None,
    counter: tuple[int, int] | None = None,
) -> bytes: ...
def sha512_chains(
    messages: Buffer,
    steps: Iterable[int],
    length: int = 64,
    *,
    value: tuple[int, int] | None = None,
    counter: tuple[int, int] | None = None,
) -> bytes: ...
def shake256_chains(
    messages: Buffer,
    steps: Iterable[int],
    length: int = 32,
    *,
    value: tuple[int, int] | None = None,
    counter: tuple[int, int] | None = None,
) -> bytes: ...
def hmac_sha256_many(keys: Iterable[Buffer], messages: Iterable[Buffer]) -> list[bytes]: ...
def pbkdf2_sha256_many(
    passwords: Iterable[Buffer],
    salts: Iterable[Buffer],
    iterations: int | Iterable[int],
    dklen: int = 32,
) -> list[bytes]: ...
def merkle_root(
    leaves: Buffer, limit: int | None = None, *, family: _Family = "ssz"
) -> bytes: ...
def rfc6962_leaves(entries: Iterable[Buffer]) -> bytes: ...
def verify_proof(
    root: Buffer,
    size: int,
    index: int,
    leaf: Buffer,
    proof: Iterable[Buffer],
    limit: int | None = None,
    *,
    family: _Family = "ssz",
) -> None: ...
def hash_files(
    paths: Iterable[str | PathLike[str]],
    name: _Name = "sha256",
    *,
    progress: Callable[[int, int], object] | None = None,
) -> list[bytes | OSError]: ...
@final
class Hasher:
    def __new__(cls, name: _Name, data: Buffer | None = None) -> Hasher: ...
    @property
    def name(self) -> _Name: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: Buffer) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def copy(self) -> Hasher: ...
@final
class ManyHasher:
    def __new__(cls, name: _Name, count: int) -> ManyHasher: ...
    def __len__(self) -> int: ...
    @property
    def name(self) -> _Name: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, index: int, data: Buffer) -> None: ...
    def update_all(self, parts: Iterable[Buffer]) -> None: ...
    def digests(self) -> list[bytes]: ...
    def hexdigests(self) -> list[str]: ...
    def copy(self) -> ManyHasher: ...
@final
class MerkleTree:
    def __new__(
        cls, leaves: Buffer, limit: int | None = None, *, family: _Family = "ssz"
    ) -> MerkleTree: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[bytes, int | None], dict[str, str]]: ...
    def __copy__(self) -> MerkleTree: ...
    def __deepcopy__(self, memo: object) -> MerkleTree: ...
    @property
    def family(self) -> _Family: ...
    @property
    def limit(self) -> int | None: ...
    @property
    def root(self) -> bytes: ...
    def prove(self, index: int) -> list[bytes]: ...
@final
class SlhDsaSigningKey:
    @staticmethod
    def generate(parameter_set: _ParameterSet) -> SlhDsaSigningKey: ...
    @staticmethod
    def from_seeds(
        parameter_set: _ParameterSet,
        sk_seed: bytes | bytearray,
        sk_prf: bytes | bytearray,
        pk_seed: Buffer,
    ) -> SlhDsaSigningKey: ...
    @staticmethod
    def from_bytes(
        parameter_set: _ParameterSet, key: bytes | bytearray
    ) -> SlhDsaSigningKey: ...
    def sign(
        self, message: Buffer, context: Buffer | None = None, *, deterministic: bool = False
    ) -> bytes: ...
    def to_bytearray(self) -> bytearray: ...
    def erase(self) -> None: ...
    @property
    def parameter_set(self) -> _ParameterSet: ...
    @property
    def verifying_key(self) -> bytes: ...

def slh_dsa_verify(
    parameter_set: _ParameterSet,
    verifying_key: Buffer,
    message: Buffer,
    signature: Buffer,
    context: Buffer | None = None,
) -> None: ...
def slh_dsa_verify_many(
    parameter_set: _ParameterSet,
    verifying_keys: Iterable[Buffer],
    messages: Iterable[Buffer],
    signatures: Iterable[Buffer],
    context: Buffer | None = None,
) -> list[int]: ...
