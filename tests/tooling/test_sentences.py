"""The list of sentences: each kind of file is read by its own parser."""

import pytest

from tests.tooling import sentences

PYTHON = '''"""The module."""

LIMIT = "#1 of all"  # the most, in bytes
PATTERN = re.compile("two words")


# One reason
# on two lines.
def told(seat):
    """Return the sentence."""
    return f"Seat {seat + 1} has left."
'''
PAGE = """<p title="A hint">Hello, {{ name }}{# not shown #}
{% if late %}you are <b>late</b>{% else %}you are early{% endif %}.</p>
<script>const unread = "not read here";</script>"""
MAIL = """{{ wrapped("The game of ", place.title, " has started.") }}

{% for line in lines %}
- {{ line }}
{% endfor %}
"""
PAPER = """# A `title`

Two lines
of text.

```
not this one
```

| a cell | b |
|---|---|
| one more | 1 |
"""


def told(found):
    return [(one.line, one.kind, " ".join(one.text.split())) for one in found]


def test_python_gives_docstrings_comments_and_strings():
    assert sorted(told(sentences.python("server/kernel/errors.py", PYTHON))) == [
        (1, "docstring", "The module."),
        (3, "comment", "the most, in bytes"),
        (3, "error", "#1 of all"),
        (7, "comment", "One reason on two lines."),
        (10, "docstring", "Return the sentence."),
        (11, "error", "Seat {seat + 1} has left."),
    ]


def test_tests_give_their_names_and_no_strings():
    code = 'def test_a_late_move_counts():\n    assert say() == "two words"\n'
    assert told(sentences.python("tests/x.py", code)) == [(1, "test", "a late move counts")]


def test_a_page_gives_texts_between_blocks_and_hints():
    assert told(sentences.template("server/play/templates/x.html", PAGE)) == [
        (1, "page", "A hint"),
        (1, "page", "Hello, {name} you are late | you are early."),
    ]


def test_a_sentence_of_a_mail_in_several_parts_is_read_whole():
    assert told(sentences.template("workers/mail/templates/x.txt", MAIL)) == [
        (1, "mail", "The game of {place.title} has started."),
    ]


def test_markdown_gives_everything_but_code():
    assert told(sentences.markdown("docs/x.md", PAPER)) == [
        (1, "docs", "A `title`"),
        (3, "docs", "Two lines of text."),
        (10, "docs", "a cell"),
        (10, "docs", "b"),
        (12, "docs", "one more"),
        (12, "docs", "1"),
    ]


def test_the_document_of_the_api_gives_each_sentence_once():
    text = '{\n  "summary": "List games.",\n  "again": {"description": "List games."},\n  "pattern": "a b c"\n}'
    assert told(sentences.document("openapi/openapi.json", text)) == [(2, "api", "List games.")]


@pytest.mark.parametrize("kind", sorted({kind for _, kind in (*sentences.KINDS, *sentences.DOCUMENTS)} - {"example"}))
def test_every_kind_of_text_is_found_in_the_project(kind):
    """If a kind moved, it would be left out silently."""
    paths = [path for path in sentences.tracked() if path.endswith((".py", ".md"))]
    table = sentences.DOCUMENTS if kind in dict(map(reversed, sentences.DOCUMENTS)) else sentences.KINDS
    ending = ".md" if table is sentences.DOCUMENTS else ".py"
    near = [path for path in paths if path.endswith(ending) and sentences._kind(table, path) == kind]
    assert any(one.kind == kind for one in sentences.read(near))


def test_the_scripts_of_the_pages_give_strings_and_comments():
    kinds = {one.kind for one in sentences.read(["server/http/static/game/outbox.js"])}
    assert kinds == {"comment", "script"}
