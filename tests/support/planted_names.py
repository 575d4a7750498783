"""Everything that our SQL names, made once more by an ordinary user in `public`: traps for whoever runs it.

A fitting function or operator of hers runs with the rights of whoever calls it: it makes her a superuser, and
as that fails where nothing may be written, it leaves a file too, as only a superuser can.
"""
# ruff: noqa: S608 - the words are those of our own sources

import re
from collections.abc import Iterator
from pathlib import Path

from real_postgres import Cluster
from tunewiz.package_files import package_file

USER = "mallory"
FOLDERS = ("bundle", "kinds", "collect/postgres", "bench", "core/tables")
TYPES = (
    *(
        "text",
        "name",
        "integer",
        "bigint",
        "boolean",
        "oid",
        '"char"',
        "numeric",
        "double precision",
        "regclass",
    ),
    *("timestamp with time zone", "interval", "bytea", "json", "pg_lsn", "xid", "text[]", "oid[]"),
)
"""On both sides of every operator."""
OPERATORS = ("||", "=", "<>", "<", ">", "<=", ">=", "+", "-", "*", "/", "~", "~*", "!~", "~~", "!~~")


def named() -> list[str]:
    """The words that occur in our sources."""
    root = package_file("tunewiz")
    files = (
        path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in {".py", ".sh"}
    )
    return sorted({word for file in files for word in re.findall(r"[a-z_][a-z_0-9]{2,}", file.read_text())})


def plant(cluster: Cluster, database: str, canary: Path) -> int:
    """Lay the traps in the schema `public` of a database; how many there are."""
    words = ", ".join(f"'{text}'" for text in named())
    before = f"SET SESSION AUTHORIZATION {USER}"
    cluster.query(f"GRANT CREATE ON SCHEMA public TO {USER}", database=database)
    # The path of her session has only the server's own: she does not walk into them herself.
    path = "SET search_path = pg_catalog"
    traps = (_trap(canary), *_operators(), _functions(words), _views(words), _types(words))
    cluster.query(before, path, *traps, database=database)
    counted = (
        "SELECT (SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace)"
        " + (SELECT count(*) FROM pg_operator WHERE oprnamespace = 'public'::regnamespace)"
    )
    return int(cluster.query("SET search_path = pg_catalog", counted, database=database))


def is_sprung(cluster: Cluster, canary: Path) -> bool:
    """Whether somebody ran one; the traps are set again."""
    text = f"SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname OPERATOR(pg_catalog.=) '{USER}'"
    is_superuser = cluster.query("SET search_path = pg_catalog, pg_temp", text) == "t"
    is_left = canary.exists()
    cluster.query("SET search_path = pg_catalog, pg_temp", f"ALTER ROLE {USER} NOSUPERUSER")
    canary.unlink(missing_ok=True)
    return is_superuser or is_left


def _trap(canary: Path) -> str:
    return f"""
    CREATE FUNCTION public.trap() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $trap$
    BEGIN
        BEGIN ALTER ROLE {USER} SUPERUSER; EXCEPTION WHEN OTHERS THEN NULL; END;
        BEGIN COPY (SELECT 1) TO PROGRAM 'cat >{canary}'; EXCEPTION WHEN OTHERS THEN NULL; END;
        RETURN true;
    END $trap$;"""


def _made(query: str) -> str:
    """Runs each statement that a query makes; what cannot be made is left out."""
    return f"""
    DO $do$ DECLARE statement text; BEGIN
        FOR statement IN {query} LOOP
            BEGIN EXECUTE statement; EXCEPTION WHEN OTHERS THEN NULL; END;
        END LOOP;
    END $do$;"""


def _operators() -> Iterator[str]:
    """For every pair of types, also those that the server's own fits only after a cast."""
    kinds = ", ".join(f"'{text}'" for text in TYPES)
    numbered = f"unnest(ARRAY[{kinds}]) WITH ORDINALITY"
    pairs = f"{numbered} AS a (l, i), {numbered} AS b (r, j)"
    for result, names in (("text", OPERATORS[:1]), ("boolean", OPERATORS[1:])):
        function = f"'public.trap_{result}_' || i || '_' || j"
        yield _made(
            f"""SELECT 'CREATE FUNCTION ' || {function} || format('(%s, %s) RETURNS {result} AS %L', l, r,
                       'BEGIN PERFORM public.trap(); RETURN NULL; END') || ' LANGUAGE plpgsql' FROM {pairs}"""
        )
        signs = ", ".join(f"'{name}'" for name in names)
        yield _made(
            f"""SELECT format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, PROCEDURE = %s)',
                              o, l, r, {function}) FROM {pairs}, unnest(ARRAY[{signs}]) AS o"""
        )


def _functions(words: str) -> str:
    """With the types of the server's own."""
    return _made(
        f"""SELECT format('CREATE FUNCTION public.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', proname,
                          pg_get_function_identity_arguments(oid), pg_get_function_result(oid),
                          'BEGIN PERFORM public.trap(); RETURN ' ||
                          CASE WHEN proretset THEN '' ELSE 'NULL' END || '; END')
            FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname IN ({words})""",
    )


def _views(words: str) -> str:
    """In the place of the server's own."""
    return _made(
        f"""SELECT format('CREATE VIEW public.%I AS SELECT * FROM pg_catalog.%I WHERE public.trap()', relname,
                          relname)
            FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relname IN ({words})""",
    )


def _types(words: str) -> str:
    """In the place of the server's own, for casts."""
    return _made(
        f"""SELECT format('CREATE DOMAIN public.%I AS pg_catalog.%I CHECK (public.trap())', typname, typname)
            FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype = 'b'
                               AND typname IN ({words})""",
    )
