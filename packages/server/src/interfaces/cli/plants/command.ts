import { setTimeout as pause } from 'node:timers/promises';
import type { CommandRecord } from '@helioport/contract';
import type { RegisterCommand } from '../context.ts';
import { either, rows, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

interface SendOptions {
  device: string;
  parameter: string;
  value: string;
  oldValue?: string;
  expiry?: string;
  wait?: true;
}

const LOOK_MS = 200;

export const registerCommand: RegisterCommand = (program, context) => {
  const command = program
    .command('command')
    .description('set parameters of inverters, and show the outcome');

  /** Prints a command; the exit code is 1 if it did not succeed. */
  const print = (one: CommandRecord): void => {
    const { id, state, oldValue, newValue, reason } = one;
    context.print(
      { id, state, oldValue, newValue, reason },
      `${id} is ${state}${reason === null ? '' : `: ${reason}`}`,
    );
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
    .requiredOption('--parameter <id>', 'id of the parameter')
    .requiredOption('--value <value>', 'the new value')
    .option('--old-value <value>', 'the current value, which some parameters require')
    .option('--expiry <seconds>', 'how many seconds the command may wait to be sent; default: 300')
    .option('--wait', 'wait until the command has ended')
    .action(async ({ device, parameter, value, oldValue, expiry, wait }: SendOptions) => {
      const sent = await (
        await context.operator()
      ).call('command/send', {
        sn: device,
        cid: parameter,
        value,
        oldValue,
        expirySeconds: expiry,
      });
      print(wait ? await ended(sent.id) : sent);
    });

  command
    .command('list')
    .description('list the commands of an inverter, newest first')
    .requiredOption('--device <sn>', 'serial number of the inverter')
    .option('--reads', 'include commands that only read')
    .option('--limit <number>', 'maximum number of commands', rows, 100)
    .action(async ({ device, reads, limit }: { device: string; reads?: true; limit: number }) => {
      const shown = await (
        await context.operator()
      ).call('command/list', { sn: device, reads, limit });
      context.print(shown, () =>
        tableText(
          [
            'id',
            'parameter',
            'name',
            'state',
            'old',
            'new',
            'read',
            'by',
            'queued',
            'sent',
            'ended',
            'reason',
          ],
          shown.map((one) => [
            one.id,
            one.parameter,
            one.name,
            one.state,
            one.oldValue,
            one.newValue,
            one.readValue,
            one.by,
            localTimeText(one.queuedAt),
            localTimeText(one.sentAt),
            localTimeText(one.endedAt),
            one.reason,
          ]),
        ),
      );
    });

  command
    .command('parameters')
    .description('list the parameters of an inverter, with the values that were last read')
    .requiredOption('--device <sn>', 'serial number of the inverter')
    .action(async ({ device }: { device: string }) => {
      const shown = await (await context.operator()).call('command/parameters', { sn: device });
      context.print(shown, () =>
        tableText(
          ['parameter', 'name', 'form', 'writable', 'can cut supply', 'value', 'read'],
          shown.map(({ parameter, name, form, writable, canCutSupply, value, readAt }) => [
            parameter,
            name,
            form,
            writable ? 'yes' : 'no',
            canCutSupply ? 'yes' : 'no',
            value,
            localTimeText(readAt),
          ]),
        ),
      );
    });

  command
    .command('cancel')
    .description('cancel a command that has not been sent')
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
    .option('--parameter <number>', 'which parameter; by default, the one that was changed last')
    .option('--wait', 'wait until the command has ended')
    .action(
      async ({ device, parameter, wait }: { device: string; parameter?: string; wait?: true }) => {
        const sent = await (
          await context.operator()
        ).call('command/undo', { sn: device, cid: parameter });
        print(wait ? await ended(sent.id) : sent);
      },
    );

  command
    .command('others')
    .description('list writes to plants by others than their owners, newest first')
    .option('--user <email>', 'only writes to plants of this user')
    .option('--plant <id>', 'only writes to this plant')
    .option('--unseen', 'only writes that are not marked as seen')
    .option('--limit <number>', 'maximum number of writes', rows, 100)
    .action(
      async ({
        user,
        plant,
        unseen,
        limit,
      }: {
        user?: string;
        plant?: string;
        unseen?: true;
        limit: number;
      }) => {
        const operator = await context.operator();
        const door = user === undefined ? operator : await operator.forUser(user);
        const shown = await door.call('command/byOthers', { plantId: plant, unseen, limit });
        context.print(shown, () =>
          tableText(
            [
              'id',
              'plant',
              'device',
              'parameter',
              'name',
              'state',
              'old',
              'new',
              'by',
              'queued',
              'seen',
            ],
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
              localTimeText(one.queuedAt),
              one.seen ? 'yes' : 'no',
            ]),
          ),
        );
      },
    );

  command
    .command('seen')
    .description(
      'mark a write by others, and all earlier ones to the same plant, as seen by the owner',
    )
    .argument('[id]', 'id of the command')
    .option('--id <id>', 'same as the argument')
    .action(async (argument: string | undefined, options: { id?: string }) => {
      const id = either(argument, options.id, 'the id of a command');
      await (await context.operator()).call('command/seen', { id });
      context.print({ id, seen: true }, `${id} and earlier writes are marked as seen`);
    });

  for (const [name, operation, description] of [
    [
      'stop',
      'control/stop',
      'stop the writes of everybody but the owner and the operator to a plant, until they are released',
    ],
    ['release', 'control/release', 'let others write to a plant again'],
  ] as const) {
    command
      .command(name)
      .description(description)
      .requiredOption('--plant <id>', 'id of the plant')
      .action(async ({ plant }: { plant: string }) => {
        await (await context.operator()).call(operation, { plantId: plant });
        context.print(
          { plantId: plant, stopped: name === 'stop' },
          name === 'stop' ? `others cannot write to ${plant}` : `others may write to ${plant}`,
        );
      });
  }
};
