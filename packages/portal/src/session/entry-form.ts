import { CallFailure } from '../wire/failure.ts';

/** What was entered into the form that came with the page, and the field in which somebody is. */
interface Entered {
  readonly email: string;
  readonly password: string;
  readonly field: string;
}

const NOTHING: Entered = { email: '', password: '', field: '' };

let entered = NOTHING;

/** Notes what somebody enters until the app takes over. */
export function followEntryForm(): void {
  const form = document.querySelector<HTMLFormElement>('form.hp-entry');
  if (!form) return;
  const note = (): void => {
    const valueOf = (name: string): string =>
      form.querySelector<HTMLInputElement>(`input[name=${name}]`)!.value;
    const { activeElement } = document;
    const isWithin = activeElement instanceof HTMLInputElement && form.contains(activeElement);
    entered = {
      email: valueOf('email'),
      password: valueOf('password'),
      field: isWithin ? activeElement.name : '',
    };
  };
  note();
  // Not on `change`, which is also what the removal of a field causes.
  for (const event of ['input', 'focusin']) form.addEventListener(event, note);
}

/** What was entered so far, for the form of the app. */
export const enteredSoFar = (): Entered => entered;

/** To be called once the app's form has it: the next person at this form must not find it. */
export function forgetEntered(): void {
  entered = NOTHING;
}

interface Refusal {
  readonly email: string;
  readonly failure: CallFailure;
}

let refused = true;

/** Why the form of the page before was refused, once; undefined if it was not. */
export function takeRefusal(): Refusal | undefined {
  const found = refused
    ? (JSON.parse(document.querySelector('#refusal')?.textContent ?? 'null') as unknown)
    : null;
  refused = false;
  if (typeof found !== 'object' || found === null) return undefined;
  const { email, ...failure } = found as {
    readonly email: string;
    readonly code: string;
    readonly status: number;
    readonly data: unknown;
  };
  return { email, failure: new CallFailure({ ...failure, message: '' }) };
}
