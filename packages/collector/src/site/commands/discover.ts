import { existsSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { discover, type Finding } from '../find/discover.ts';
import { NetworkFault, ownNetworks } from '../find/network.ts';
import { configPath } from './config-file.ts';
import { CommandFault, UsageFault, type CommandContext } from './surroundings.ts';
import { table } from './table.ts';

/** `collect discover [NET]`: looks for devices. */
export async function discoverCommand(context: CommandContext): Promise<void> {
  const { words, options, clock, pause, random } = context;
  const networks = words.length > 0 ? words : ownNetworks();
  if (networks.length === 0)
    throw new UsageFault('this machine is in no private network: name one, such as 192.168.1.0/24');
  const findings: Finding[] = [];
  for (const network of networks) {
    context.writeNote(`looking at ${network}`);
    const onFinding = ({ address, model, problem }: Finding): void =>
      context.writeNote(`${address}: ${problem ?? model}`);
    try {
      findings.push(...(await discover(network, { clock, pause, random, onFinding })));
    } catch (error) {
      if (error instanceof NetworkFault) throw new UsageFault(error.message);
      throw error;
    }
  }
  const usable = findings.filter(({ problem }) => problem === null);
  const text = fileOf(usable, options);
  if (options['write'] === true && usable.length > 0) writeNew(context, text);
  context.print(findings, () =>
    findings.length === 0
      ? 'nothing was found: is Modbus TCP switched on at the device, and is it in this network?'
      : [
          table(
            ['address', 'unit', 'device', 'serial number', 'rated W', 'problem'],
            findings.map((one) => [
              one.address,
              one.unit,
              one.model,
              one.sn,
              one.ratedPowerW,
              one.problem,
            ]),
          ),
          ...(usable.length > 0 && options['write'] !== true
            ? ['', 'for collect.yaml (discover --write puts it there):', '', text.trimEnd()]
            : []),
        ].join('\n'),
  );
  if (usable.length === 0) throw new CommandFault('no device was found that can be read');
}

function writeNew(context: CommandContext, text: string): void {
  const path = configPath(context);
  if (existsSync(path)) throw new CommandFault(`${path} exists already, and is not overwritten`);
  writeFileSync(path, text);
  context.writeNote(
    `written to ${path}; put the token into the file that token-file names, then run`,
  );
}

/** A file with what was found; all of it read-only. Several devices may be behind an address. */
function fileOf(usable: readonly Finding[], options: CommandContext['options']): string {
  const entries = usable.map(({ address, unit }) => ({ address, ...(unit !== null && { unit }) }));
  return stringify({
    gateway: options['gateway'] ?? 'https://helioport.example:8083',
    'token-file': options['token-file'] ?? './token',
    devices: [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()],
  });
}
