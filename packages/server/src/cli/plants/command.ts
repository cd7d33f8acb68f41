import { setTimeout as pause } from 'node:timers/promises';
import type { CommandRecord } from '@helioport/contract';
import type { Register } from '../context.ts';
import { either, rows, shownTime } from '../operator.ts';
import { table } from '../table.ts';

interface SendOptions {
  device: string;
  parameter: string;
  value: string;
  oldValue?: string;
  expiry?: string;
  wait?: true;
}

const LOOK_MS = 200;

export const registerCommand: Register = (program, context) => {
  const command = program.command('command').description('set parameters of inverters, and follow the outcome');

  /** Prints a command; one that did not succeed is bad news. */
  const print = (one: CommandRecord): void => {
    const { id, state, oldValue, newValue, reason } = one;
    context.print({ id, state, oldValue, newValue, reason }, `${id} is ${state}${reason === null ? '' : `: ${reason}`}`);
    if (one.endedAt !== null && state !== 'verified') context.fail();
  };

  const ended = async (id: string): Promise<CommandRecord> => {
    const door = await context.operator();
    for (;;) {
      const one = await door.call('command/show', { id });
      if (one.endedAt !== null) return one;
      await pause(LOOK_MS);
    }
  };

  command
    .command('send')
    .description('set a parameter of an inverter')
    .requiredOption('--device <sn>', 'serial number of the inverter')
    .requiredOption('--parameter <id>', 'number of the parameter')
    .requiredOption('--value <value>', 'the new value')
    .option('--old-value <value>', 'the current value, which must be given for parameters that are single bits')
    .option('--expiry <seconds>', 'how many seconds it may wait before it is sent; default: 300')
    .option('--wait', 'wait until it has come to its end')
    .action(async ({ device, parameter, value, oldValue, expiry, wait }: SendOptions) => {
      const sent = await (await context.operator()).call('command/send', { sn: device, cid: parameter, value, oldValue, expirySeconds: expiry });
      print(wait ? await ended(sent.id) : sent);
    });

  command
    .command('list')
    .description('list the commands of an inverter, newest first')
    .requiredOption('--device <sn>', 'serial number of the inverter')
    .option('--reads', 'also those that only read')
    .option('--limit <number>', 'maximum number of commands', rows, 100)
    .action(async ({ device, reads, limit }: { device: string; reads?: true; limit: number }) => {
      const shown = await (await context.operator()).call('command/list', { sn: device, reads, limit });
      context.print(shown, () =>
        table(
          ['id', 'parameter', 'name', 'state', 'old', 'new', 'read', 'by', 'queued', 'sent', 'ended', 'reason'],
          shown.map((one) => [
            one.id,
            one.parameter,
            one.name,
            one.state,
            one.oldValue,
            one.newValue,
            one.readValue,
            one.by,
            shownTime(one.queuedAt),
            shownTime(one.sentAt),
            shownTime(one.endedAt),
            one.reason,
          ]),
        ),
      );
    });

  command
    .command('cancel')
    .description('cancel a command whose write has not been sent yet')
    .argument('[id]', 'id of the command')
    .option('--id <id>', 'same as the argument')
    .action(async (argument: string | undefined, options: { id?: string }) => {
      const id = either(argument, options.id, 'the id of a command');
      await (await context.operator()).call('command/cancel', { id });
      context.print({ id, state: 'cancelled' }, `${id} is cancelled`);
    });

  command
    .command('undo')
    .description('undo the last change of a parameter of an inverter')
    .requiredOption('--device <sn>', 'serial number of the inverter')
    .option('--wait', 'wait until it has come to its end')
    .action(async ({ device, wait }: { device: string; wait?: true }) => {
      const sent = await (await context.operator()).call('command/undo', { sn: device });
      print(wait ? await ended(sent.id) : sent);
    });

  command
    .command('others')
    .description('list what others than the owners of plants have written, newest first')
    .option('--user <email>', 'only to plants of this user')
    .option('--plant <id>', 'only to this plant')
    .option('--unseen', 'only what was not marked as seen')
    .option('--limit <number>', 'maximum number of commands', rows, 100)
    .action(async ({ user, plant, unseen, limit }: { user?: string; plant?: string; unseen?: true; limit: number }) => {
      const operator = await context.operator();
      const door = user === undefined ? operator : await operator.forUser(user);
      const shown = await door.call('command/byOthers', { plantId: plant, unseen, limit });
      context.print(shown, () =>
        table(
          ['id', 'plant', 'device', 'parameter', 'name', 'state', 'old', 'new', 'by', 'queued', 'seen'],
          shown.map((one) => [
            one.id,
            one.plantId,
            one.sn,
            one.parameter,
            one.name,
            one.state,
            one.oldValue,
            one.newValue,
            one.by,
            shownTime(one.queuedAt),
            one.seen ? 'yes' : 'no',
          ]),
        ),
      );
    });

  command
    .command('seen')
    .description('mark a write of others to a plant, and all earlier ones, as seen by its owner')
    .argument('[id]', 'id of the command')
    .option('--id <id>', 'same as the argument')
    .action(async (argument: string | undefined, options: { id?: string }) => {
      const id = either(argument, options.id, 'the id of a command');
      await (await context.operator()).call('command/seen', { id });
      context.print({ id, seen: true }, `${id} and what was written before it is marked as seen`);
    });

  for (const [name, operation, description] of [
    ['stop', 'control/stop', 'stop writes to a plant by everybody but its owner and the operator, until they are released'],
    ['release', 'control/release', 'let others write to a plant again'],
  ] as const) {
    command
      .command(name)
      .description(description)
      .requiredOption('--plant <id>', 'id of the plant')
      .action(async ({ plant }: { plant: string }) => {
        await (await context.operator()).call(operation, { plantId: plant });
        context.print({ plantId: plant, stopped: name === 'stop' }, name === 'stop' ? `others cannot write to ${plant}` : `others may write to ${plant}`);
      });
  }
};
