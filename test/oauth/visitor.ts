import { formOf, PASSWORD, type Answer, type Fields, type TestClient } from './fixture.ts';

/** A form of a page: where it goes and what it sends without anybody typing. */
export interface PageForm {
  readonly action: string;
  /** Hidden values and what is ticked. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export interface Page extends Answer {
  readonly url: string;
  readonly forms: readonly PageForm[];
  /** Where a redirect leads, resolved. */
  readonly location: URL | undefined;
}

/** A browser without a screen: cookies, forms, and no redirect that it is not made to follow. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  open(address: string, init?: RequestInit): Promise<Page>;
  submit(page: Page, which: string, change?: Fields): Promise<Page>;
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

function formsOf(markup: string): PageForm[] {
  return [...markup.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(
    ([, head = '', body = '']) => ({
      action: attribute(head, 'action') ?? '',
      fields: [...body.matchAll(/<input\b[^>]*>/g)].flatMap(([tag]): [string, string][] => {
        const type = attribute(tag, 'type') ?? 'text';
        const isSent = !['checkbox', 'radio'].includes(type) || /\schecked[\s>]/.test(tag);
        return isSent ? [[attribute(tag, 'name')!, attribute(tag, 'value') ?? '']] : [];
      }),
    }),
  );
}

export function createVisitor(headers: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>();
  async function open(address: string, init: RequestInit = {}): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      redirect: 'manual',
      ...init,
      headers: {
        ...headers,
        ...(cookie && { Cookie: cookie }),
        ...(init.headers as Record<string, string>),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    // Breaks of lines are nothing to a browser.
    const text = (await response.text()).replaceAll(/\s+/g, ' ');
    const location = response.headers.get('location');
    return {
      url: address,
      status: response.status,
      headers: response.headers,
      text,
      body: undefined,
      forms: formsOf(text),
      location: location === null ? undefined : new URL(location, address),
    };
  }
  return {
    cookies,
    open,
    submit(page, which, change = {}) {
      const form = page.forms.find(({ action }) => action.startsWith(`${which}?`));
      if (!form) throw new Error(`no form ${which} on ${page.status} ${page.text}`);
      const kept = form.fields.filter(([name]) => !Object.hasOwn(change, name));
      const body = [
        new URLSearchParams(
          kept.map(([name, value]): [string, string] => [name, value]),
        ).toString(),
        formOf(change),
      ]
        .filter((part) => part !== '')
        .join('&');
      return open(new URL(form.action, page.url).href, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
    },
  };
}

/** The address of an authorization request. */
export const authorizeUrl = (url: string, client: TestClient, change: Fields = {}): string =>
  `${url}/oauth/authorize?${formOf({ client_id: client.clientId, response_type: 'code', redirect_uri: client.application.redirectUri, state: 's', ...change })}`;

/** Opens a request and signs in: the consent page. */
export async function signIn(visitor: Visitor, address: string, email: string): Promise<Page> {
  const back = await visitor.submit(await visitor.open(address), 'log-in', {
    email,
    password: PASSWORD,
  });
  if (back.status !== 303) throw new Error(`not signed in: ${back.status}`);
  return visitor.open(back.location!.href);
}
