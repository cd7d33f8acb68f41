// Conveniences of the log-in and consent pages; both pages also work in browsers without scripts.

/** @param {string} selector */
const find = (selector) => document.querySelector(selector);

const show = find('[data-show-password]');
if (show) {
  const password = find('#password');
  show.hidden = false;
  show.addEventListener('click', () => {
    const visible = password.type === 'password';
    password.type = visible ? 'text' : 'password';
    show.textContent = visible ? show.dataset.hide : show.dataset.show;
    show.setAttribute('aria-pressed', String(visible));
    password.focus();
  });
  // Hide the password before submission, so that nobody can read it and browsers do not offer it as an earlier entry.
  password.form.addEventListener('submit', () => {
    password.type = 'password';
  });
}

/** @param {string} text base64url */
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
/** @param {ArrayBuffer} buffer */
const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const passkeyForm = find('[data-passkey]');
if (passkeyForm && globalThis.PublicKeyCredential) {
  const options = JSON.parse(passkeyForm.dataset.passkey);
  const { hostname } = location;
  // Elsewhere, browsers refuse to look for passkeys of this site.
  passkeyForm.hidden = hostname !== options.rpId && !hostname.endsWith(`.${options.rpId}`);
  passkeyForm.addEventListener('submit', async (event) => {
    const answer = passkeyForm.querySelector('[name=passkey]');
    if (answer.value !== '') return;
    event.preventDefault();
    const allowCredentials = (options.allowCredentials ?? []).map((one) => ({
      ...one,
      id: bytesOf(one.id),
    }));
    const publicKey = { ...options, challenge: bytesOf(options.challenge), allowCredentials };
    // Nobody has to explain why they have closed the browser's dialog.
    const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
    if (!credential) return;
    const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
    answer.value = JSON.stringify({
      id: credential.id,
      rawId: credential.id,
      type: credential.type,
      clientExtensionResults: {},
      response: {
        clientDataJSON: textOf(clientDataJSON),
        authenticatorData: textOf(authenticatorData),
        signature: textOf(signature),
        ...(userHandle && { userHandle: textOf(userHandle) }),
      },
    });
    passkeyForm.submit();
  });
}

const tools = find('[data-plant-tools]');
if (tools) {
  const rows = [...document.querySelectorAll('.plants li')];
  const boxOf = (row) => row.querySelector('input');
  const filter = tools.querySelector('input');
  const count = tools.querySelector('[role=status]');
  const listed = () => rows.filter((row) => !row.hidden);
  const tell = () => {
    const ticked = rows.filter((row) => boxOf(row).checked).length;
    count.textContent = count.dataset.text
      .replace('{ticked}', String(ticked))
      .replace('{plants}', String(rows.length));
  };
  const look = () => {
    const wanted = filter.value.trim().toLocaleLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLocaleLowerCase().includes(wanted);
  };
  const tick = (checked) => {
    for (const row of listed()) boxOf(row).checked = checked;
    tell();
  };
  filter.addEventListener('input', look);
  filter.addEventListener('keydown', (event) => {
    // Enter in the filter would submit the form.
    if (event.key === 'Enter') event.preventDefault();
  });
  tools.querySelector('[data-all]').addEventListener('click', () => tick(true));
  tools.querySelector('[data-none]').addEventListener('click', () => tick(false));
  find('.plants').addEventListener('change', tell);
  tools.hidden = false;
  look();
  tell();
}
