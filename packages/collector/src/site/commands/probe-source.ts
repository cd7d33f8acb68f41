import { sourcedValues, type SourcedValue, type SourceValue } from '@helioport/devices/sources';
import { credentialsIn } from '../config/credentials.ts';
import { openSource } from '../../sources/open-source.ts';
import { deviceAddressText, type SourceAddress } from '../../sources/source-address.ts';
import { SourceFault, type SourceDevice, type SourceSettings } from '../../sources/source.ts';
import { CommandFault, UsageFault, type CommandContext } from './surroundings.ts';
import { table } from './table.ts';

/** Shows what the devices at the address of a source say, and how it is understood. */
export async function probeSource(
  address: SourceAddress,
  context: CommandContext,
  watchMs: number,
): Promise<void> {
  const { signal, pause } = context;
  const source = await openSource(address, { ...context, ...settingsOf(context) });
  try {
    for (;;) {
      const { devices } = await source.read(signal);
      const shown = devices.map((device) => probed(address, device));
      context.print(shown, () => shown.map(pageOf).join('\n\n'));
      if (context.options['watch'] !== true || signal.aborted) return;
      await pause(watchMs, signal).catch(() => {});
      if (signal.aborted) return;
    }
  } catch (error) {
    if (error instanceof SourceFault) throw new CommandFault(error.message, { cause: error });
    throw error;
  } finally {
    source.release();
  }
}

/** What the options of the command say, as the file would. */
function settingsOf({ options, path }: CommandContext): SourceSettings {
  const { measures, 'password-file': file } = options;
  const names = typeof measures === 'string' ? measures.split(',') : undefined;
  if (names?.some((name) => !['grid', 'production', 'nothing'].includes(name)) === true)
    throw new UsageFault('--measures is a list such as grid,production,nothing');
  return {
    measures: names as SourceSettings['measures'],
    ...(typeof file === 'string' && { credentials: credentialsIn(path(file)) }),
  };
}

function probed(
  address: SourceAddress,
  { sn, part, model, firmware, ratedPowerW, fields }: SourceDevice,
) {
  const all = sourcedValues(part, fields);
  const used = new Set(part.values.flatMap(fieldsOf));
  return {
    address: deviceAddressText(address),
    kind: part.kind,
    model,
    sn,
    firmware: firmware ?? null,
    ratedPowerW: ratedPowerW ?? null,
    values: all.filter(({ dropped }) => dropped !== 'missing').map(valueShown),
    others: Object.fromEntries([...fields].filter(([name]) => !used.has(name))),
  };
}

const fieldsOf = ({ plus, minus, optional }: SourceValue): readonly string[] => [
  ...plus,
  ...minus,
  ...optional,
];

const REASONS = {
  missing: 'the device does not have it',
  outOfBounds: 'the value cannot be',
  zeroTotal: 'a total of 0 is not believed',
  superseded: 'another value stands for it',
} as const;

function valueShown({ source, value, dropped }: SourcedValue) {
  const { id, quantity, plus, minus, optional, evidence } = source;
  const few = evidence.sources.length === 1 ? 'one source' : 'no source';
  return {
    id,
    fields: [...plus, ...optional, ...minus.map((name) => `- ${name}`)],
    value: value ?? null,
    quantity,
    sources: evidence.sources,
    doubt:
      dropped === 'unconfirmed'
        ? `unconfirmed: ${evidence.doubt ?? few}`
        : dropped === null
          ? evidence.doubt
          : REASONS[dropped],
  };
}

function pageOf({ values, others, ...facts }: ReturnType<typeof probed>): string {
  return [
    Object.entries(facts)
      .filter(([, fact]) => fact !== null)
      .map(([name, fact]) => `${name}: ${fact}`)
      .join('\n'),
    '',
    table(
      ['fields', 'value', 'quantity', 'sources', 'doubt'],
      values.map((one) => [
        one.fields.join(' '),
        one.value,
        one.id,
        one.sources.join(' '),
        one.doubt,
      ]),
    ),
    ...(Object.keys(others).length === 0
      ? []
      : [
          '',
          `not used: ${Object.entries(others)
            .map(([name, value]) => `${name} ${value}`)
            .join(', ')}`,
        ]),
  ].join('\n');
}
