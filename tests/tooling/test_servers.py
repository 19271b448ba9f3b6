"""The servers that the tests use are real and behave like a deployment's."""

import smtplib

import psycopg
import pytest
import redis


def test_redis_keeps_jobs(redis_url):
    """The embedded server appends to a file and never evicts, as docs/operate.md requires."""
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        assert client.config_get("appendonly", "maxmemory-policy") == {
            "appendonly": "yes",
            "maxmemory-policy": "noeviction",
        }


def test_a_new_postgresql_database_is_empty(postgres_url):
    """In a real cluster."""
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as session:
        assert "PostgreSQL" in session.execute("SELECT version()").fetchone()[0]
        assert session.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


def test_smtp_can_refuse(smtp_server):
    """A mail is kept only if it was accepted."""
    with smtplib.SMTP("127.0.0.1", smtp_server.port) as client:
        client.sendmail("a@example.org", ["b@example.org"], "Subject: one\r\n\r\nhello\r\n")
        smtp_server.answer = "451 later"
        with pytest.raises(smtplib.SMTPDataError):
            client.sendmail("a@example.org", ["b@example.org"], "Subject: two\r\n\r\nhello\r\n")
    assert [message["Subject"] for message in smtp_server.messages] == ["one"]
