"""Generates the Go and the Java client into build/clients, and compiles them (`make generators`)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.generated.clients import BUILD, DOCUMENT, ROOT
from tests.kit.patience import PATIENCE

BIN = Path(sys.executable).parent
GO, JAVA, CLASSES = BUILD / "go", BUILD / "java", BUILD / "classes"
ANNOTATION = (
    "package javax.annotation; public @interface Generated { String value(); String date(); String comments(); }"
)
PLAY = BUILD / "play"  # examples/play.go, compiled
NO_DOCS = "apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"
WAYS: dict[str, list[str]] = {
    "go": [
        "--additional-properties=packageName=sealedmove,useOneOfDiscriminatorLookup=true",
        *("--git-host", "games.example", "--git-user-id", "sealedmove", "--git-repo-id", "client"),
    ],
    "java": ["--library=native", "--additional-properties=openApiNullable=false"],
}


def are_installed() -> bool:
    return (BIN / "openapi-generator-cli").exists() and (BIN / "go").exists()


def generate(language: str) -> None:
    """The client for this language, anew."""
    folder = BUILD / language
    shutil.rmtree(folder, ignore_errors=True)
    command = [BIN / "openapi-generator-cli", "generate", "-g", language, "-i", DOCUMENT, "-o", folder]
    _run(*command, "--global-property", NO_DOCS, *WAYS[language])


def compile_go() -> None:
    """The example and with it the client; neither needs another module. Not optimised, which takes half the time."""
    _run(BIN / "go", "build", "-gcflags=all=-N -l", "-ldflags=-s -w", "-o", PLAY, "play.go", cwd=ROOT / "examples")


def compile_java() -> None:
    """The client. The generator's own archive has the libraries that it needs, except for one annotation."""
    import openapi_generator_cli  # type: ignore[import-not-found]

    archive = Path(openapi_generator_cli.__file__).with_name("openapi-generator.jar")
    at = JAVA / "src" / "main" / "java" / "javax" / "annotation" / "Generated.java"
    at.parent.mkdir(parents=True, exist_ok=True)
    at.write_text(ANNOTATION)
    sources = sorted((JAVA / "src" / "main").rglob("*.java"))
    _run("javac", "-nowarn", "-proc:none", "-d", CLASSES, "-cp", archive, *sources)


def _run(*command: str | Path, cwd: Path = ROOT) -> None:
    own = {
        "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # for programs that end soon
        "GOCACHE": str(BUILD / "go-cache"),
        "GOPATH": str(BUILD / "go-path"),
        "GOFLAGS": "-mod=mod",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
        "CGO_ENABLED": "0",
        "GOGC": "off",
        "PATH": f"{BIN}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=5 * PATIENCE,  # the first time Go compiles its whole library
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stdout)


if __name__ == "__main__":
    generate("go")
    compile_go()
    print(f"{GO.relative_to(ROOT)}, and examples/play.go as {PLAY.relative_to(ROOT)}")  # noqa: T201 - a command prints
