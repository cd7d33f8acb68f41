import { sourcedValues, type SourcedValue, type SourceValue } from '@helioport/devices/sources';
import { credentialsIn } from '../config/credentials.ts';
import { openSource } from '../../sources/open-source.ts';
import { deviceAddressText, type SourceAddress } from '../../sources/source-address.ts';
import {
  isMeasures,
  SourceFault,
  type SourceDevice,
  type SourceSettings,
} from '../../sources/source.ts';
import { CommandFault, UsageFault, type CommandContext } from './surroundings.ts';
import { doubtText } from './doubt-text.ts';
import { factLines, table } from './table.ts';
import { watch } from './watch.ts';

/** Shows what the devices at the address of a source say, and how it is understood. */
export async function probeSource(address: SourceAddress, context: CommandContext): Promise<void> {
  const source = await openSource(address, { ...context, ...settingsOf(context) });
  try {
    await watch(context, async () => {
      const { devices } = await source.read(context.signal);
      const shown = devices.map((device) => probed(address, device));
      context.print(shown, () => shown.map(pageOf).join('\n\n'));
    });
  } catch (error) {
    if (error instanceof SourceFault) throw new CommandFault(error.message, { cause: error });
    throw error;
  } finally {
    source.release();
  }
}

/** What the options of the command say, as the file would. */
function settingsOf({ options, path }: CommandContext): SourceSettings {
  const { measures, 'password-file': file, 'password-readable': readable } = options;
  const names = typeof measures === 'string' ? measures.split(',') : undefined;
  if (names && !names.every(isMeasures))
    throw new UsageFault('--measures is a list such as grid,production,nothing');
  return {
    measures: names,
    ...(typeof file === 'string' && {
      credentials: credentialsIn(path(file), { isReadable: readable === true }),
    }),
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

function valueShown({ source, value, dropped }: SourcedValue) {
  const { id, quantity, plus, minus, optional, evidence } = source;
  return {
    id,
    fields: [...plus, ...optional, ...minus.map((name) => `- ${name}`)],
    value: value ?? null,
    quantity,
    sources: evidence.sources,
    doubt: doubtText(dropped, evidence),
  };
}

function pageOf({ values, others, ...facts }: ReturnType<typeof probed>): string {
  return [
    factLines(facts),
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
