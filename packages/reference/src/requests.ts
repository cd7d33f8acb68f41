import { exampleDays, exampleValues, type Operation } from '@helioport/contract';
import { anchorOf } from './anchor.ts';
import { html, type Content } from './html.ts';

type ValueName = keyof typeof exampleValues;
type DayName = keyof typeof exampleDays;

/** Values of an installation that take the place of those in the examples. */
type ValuesByName = { readonly [Name in ValueName | DayName]?: string | undefined };

/** Values with which requests work unchanged. Objects in `reads` may be read; objects in `writes` may also be changed. */
export interface RequestValues {
  readonly reads: ValuesByName;
  readonly writes: ValuesByName;
}

/** A request to copy. */
export interface Request {
  readonly body: Readonly<Record<string, unknown>>;
  /** Placeholders that the reader has to replace. */
  readonly missing: readonly Missing[];
}

interface Missing {
  /** The placeholder in the request. */
  readonly word: string;
  readonly meaning: string;
  /** The operation whose answer has such values, if there is one. */
  readonly listedBy?: string;
}

const placeholders: Readonly<Record<ValueName, Missing>> = {
  plantId: { word: 'PLANT_ID', meaning: 'the id of a plant', listedBy: 'userStationList' },
  inverterSn: {
    word: 'INVERTER_SN',
    meaning: 'the serial number of an inverter',
    listedBy: 'inverterList',
  },
  collectorSn: {
    word: 'COLLECTOR_SN',
    meaning: 'the serial number of a collector',
    listedBy: 'collectorList',
  },
  epmSn: { word: 'EPM_SN', meaning: 'the serial number of an EPM unit', listedBy: 'epmList' },
  weatherSn: {
    word: 'WEATHER_STATION_SN',
    meaning: 'the serial number of a weather station',
    listedBy: 'weatherList',
  },
  ammeterSn: {
    word: 'AMMETER_SN',
    meaning: 'the serial number of an ammeter',
    listedBy: 'ammeterList',
  },
  alarmId: { word: 'ALARM_ID', meaning: 'the id of an alarm', listedBy: 'alarmList' },
  invitationId: {
    word: 'INVITATION_ID',
    meaning: 'the id of an invitation',
    listedBy: 'invitation/list',
  },
  orderId: { word: 'ORDER_ID', meaning: 'the id of an order', listedBy: 'atRead' },
  commandId: { word: 'COMMAND_ID', meaning: 'the id of a command', listedBy: 'command/list' },
  strategyId: { word: 'STRATEGY_ID', meaning: 'the id of a strategy', listedBy: 'strategy/list' },
  destinationId: {
    word: 'DESTINATION_ID',
    meaning: 'the id of a destination',
    listedBy: 'forwarding/list',
  },
  email: { word: 'EMAIL', meaning: 'your e-mail address' },
  passwordDigest: { word: 'PASSWORD_MD5', meaning: 'the MD5 of your password, in hexadecimal' },
};

const valueNames = new Map(
  Object.entries(exampleValues).map(([name, value]) => [value as unknown, name as ValueName]),
);
const dayNames = new Map(
  Object.entries(exampleDays).map(([name, value]) => [value as unknown, name as DayName]),
);

/** The example of an operation with this installation's values, or with placeholders. */
export function requestOf(
  { example, write }: Operation,
  requestValues: RequestValues | undefined,
): Request {
  const values = write ? requestValues?.writes : requestValues?.reads;
  const missing: Missing[] = [];
  const valueOf = (value: unknown): unknown => {
    const day = dayNames.get(value);
    if (day !== undefined) return values?.[day] ?? value;
    const name = valueNames.get(value);
    if (name === undefined) return value;
    const known = values?.[name];
    if (known === undefined) missing.push(placeholders[name]);
    return known ?? placeholders[name].word;
  };
  return {
    body: Object.fromEntries(
      Object.entries(example.request).map(([key, value]) => [key, valueOf(value)]),
    ),
    missing,
  };
}

/** A note that says which placeholders to replace. */
export const missingNote = (missing: readonly Missing[]): Content =>
  missing.map(
    ({ word, meaning, listedBy }) =>
      html`<p>
        Replace <code>${word}</code> with
        ${meaning}${listedBy === undefined ? '' : html`, from <a href="#${anchorOf(listedBy)}"><code>${listedBy}</code></a>`}.
      </p>`,
  );

/** A note that says whether the requests on a page work unchanged. `secret` names what has to be put into the environment. */
export const requestsNote = (requestValues: RequestValues | undefined, secret: string): Content =>
  requestValues === undefined
    ? html`<p>
        Words in capitals in the requests below, such as <code>PLANT_ID</code>, stand for your own
        values: each request says what they mean and which operation lists them. First, put
        ${secret} into the environment:
      </p>`
    : html`<p>
        The requests below use plants and devices of this server’s demo and work as they are, unless
        one says what to replace. First, put ${secret} into the environment:
      </p>`;
