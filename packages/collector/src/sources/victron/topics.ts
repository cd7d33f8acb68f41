/** What a GX device publishes: `N/<portal>/<service>/<instance>/<path>` with `{"value": ...}`. */
export interface Published {
  readonly portal: string;
  readonly service: string;
  readonly instance: string;
  readonly path: string;
  /** Null: the value is not there; undefined: the device is gone. */
  readonly value: number | string | null | undefined;
}

const TOPIC = /^N\/([0-9A-Za-z]{6,32})\/([a-z]{1,32})\/(\d{1,6})\/([\w/]{1,100})$/;
const COMPLETED = /^N\/([0-9A-Za-z]{6,32})\/full_publish_completed$/;
const LONGEST = 1_024;

/** Reads a message; `completed` at the end of everything that a keep-alive has asked for; undefined for what is of no use. */
export function readPublished(
  topic: string,
  payload: Buffer,
): Published | { readonly completed: string } | undefined {
  const [, done] = COMPLETED.exec(topic) ?? [];
  if (done !== undefined) return { completed: done };
  const [, portal, service, instance, path] = TOPIC.exec(topic) ?? [];
  if (path === undefined || payload.length > LONGEST) return undefined;
  const named = { portal: portal!, service: service!, instance: instance!, path };
  if (payload.length === 0) return { ...named, value: undefined };
  let value: unknown;
  try {
    value = (JSON.parse(payload.toString('utf8')) as { value?: unknown } | null)?.value;
  } catch {
    return undefined;
  }
  if (typeof value === 'number' && Number.isFinite(value)) return { ...named, value };
  if (typeof value === 'string' || value === null) return { ...named, value };
  return undefined;
}
