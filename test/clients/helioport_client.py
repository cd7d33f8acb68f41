"""A client of the signed interface in another language: the standard library and nothing else.

Usage: helioport_client.py BASE_URL KEY_ID KEY_SECRET OPERATION [JSON]
Prints the answer's data as JSON; exit code 1 with the envelope on standard error when it is refused.
"""

import base64
import hashlib
import hmac
import json
import sys
import urllib.error
import urllib.request
from email.utils import formatdate

CONTENT_TYPE = "application/json;charset=UTF-8"


class Refused(Exception):
    """The server said no; the envelope says why."""

    def __init__(self, status, envelope):
        super().__init__(f"HTTP {status}, code {envelope['code']}: {envelope['msg']}")
        self.status = status
        self.envelope = envelope


class Client:
    def __init__(self, base_url, key_id, key_secret):
        self.base_url = base_url.rstrip("/")
        self.key_id = key_id
        self.key_secret = key_secret

    def headers(self, path, body, date):
        content_md5 = base64.b64encode(hashlib.md5(body).digest()).decode()
        string_to_sign = "\n".join(["POST", content_md5, CONTENT_TYPE, date, path])
        digest = hmac.new(self.key_secret.encode(), string_to_sign.encode(), hashlib.sha1).digest()
        return {
            "Content-MD5": content_md5,
            "Content-Type": CONTENT_TYPE,
            "Date": date,
            "Authorization": f"API {self.key_id}:{base64.b64encode(digest).decode()}",
        }

    def call(self, operation, request=None):
        path = f"/v1/api/{operation}"
        body = json.dumps(request or {}).encode()
        headers = self.headers(path, body, formatdate(usegmt=True))
        message = urllib.request.Request(self.base_url + path, data=body, headers=headers, method="POST")
        try:
            with urllib.request.urlopen(message, timeout=10) as response:
                status, envelope = response.status, json.load(response)
        except urllib.error.HTTPError as refusal:
            status, envelope = refusal.code, json.load(refusal)
        if envelope["code"] != "0":
            raise Refused(status, envelope)
        return envelope["data"]


def main(base_url, key_id, key_secret, operation, request="{}"):
    try:
        data = Client(base_url, key_id, key_secret).call(operation, json.loads(request))
    except Refused as refusal:
        sys.exit(json.dumps(refusal.envelope, ensure_ascii=False))
    print(json.dumps(data, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
