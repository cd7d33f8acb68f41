"""A third party in Python, with authlib as its documentation shows it.

Usage: authlib_client.py BASE_URL CLIENT_ID CLIENT_SECRET REDIRECT_URI
Prints the address for the owner, reads the address that the browser landed on, prints what came of it as JSON.
"""

import json
import secrets
import sys

from authlib.integrations.requests_client import OAuth2Session

base_url, client_id, client_secret, redirect_uri = sys.argv[1:5]
session = OAuth2Session(client_id, client_secret, scope="access_data", redirect_uri=redirect_uri, code_challenge_method="S256")
verifier = secrets.token_urlsafe(48)
address, state = session.create_authorization_url(f"{base_url}/oauth/authorize", code_verifier=verifier)
print(address, flush=True)
landed = sys.stdin.readline().strip()

session.fetch_token(f"{base_url}/oauth/token", authorization_response=landed, state=state, code_verifier=verifier)
token = session.refresh_token(f"{base_url}/oauth/token", refresh_token=session.token["refresh_token"])
introspected = session.introspect_token(f"{base_url}/oauth/introspect", token=token["access_token"]).json()["active"]
revoked = session.revoke_token(f"{base_url}/oauth/revoke", token=token["refresh_token"], token_type_hint="refresh_token").status_code
print(json.dumps({**token, "introspected": introspected, "revoked": revoked}), flush=True)
