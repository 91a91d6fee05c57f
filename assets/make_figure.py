#!/usr/bin/env python3
"""Make the model that ships with Sinew.

    make_figure.py [OUT.glb]

Standard library only; the same bytes every time. Without a name it writes
figure.glb next to this program.
"""

import os
import sys

sys.dont_write_bytecode = True

from figure.document import build_document  # noqa: E402


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print(__doc__.strip(), file=sys.stderr if len(arguments) > 1 else sys.stdout)
        return 2 if len(arguments) > 1 else 0
    here = os.path.dirname(os.path.abspath(__file__))
    path = arguments[0] if arguments else os.path.join(here, "figure.glb")
    data = build_document()
    with open(path, "wb") as out:
        out.write(data)
    print("%s: %d bytes" % (os.path.basename(path), len(data)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
