import { systemClock, timerPause } from '@helioport/collector';
import { collect } from '@helioport/collector/collect';
import { CommanderError } from 'commander';
import type { RegisterCommand } from '../context.ts';
import { CliCommandFault, CliUsageFault } from '../installation/faults.ts';
import { stopSignal } from '../installation/stop-signal.ts';

export const registerCollect: RegisterCommand = (program, context) => {
  program
    .command('collect')
    .description('collect from devices on site; the same as the program helioport-collect')
    .argument('[args...]', 'see helioport collect --help')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: string[]) => {
      const stop = new AbortController();
      void stopSignal().then((signal) => stop.abort(new Error(signal)));
      let last: string | undefined;
      // With --json, what it says last before it fails is the error.
      const note = (text: string): void => {
        if (last !== undefined) context.note(last);
        if (context.json) last = text;
        else context.note(text);
      };
      const code = await collect(context.json ? [...args, '--json'] : args, {
        folder: context.path('.'),
        write: (text) => context.print(context.json ? JSON.parse(text) : text, text),
        writeNote: note,
        clock: systemClock,
        pause: timerPause,
        random: Math.random,
        signal: stop.signal,
      });
      if (code !== 0 && last !== undefined)
        throw code === 2 ? new CliUsageFault(last) : new CliCommandFault(last);
      if (last !== undefined) context.note(last);
      if (code === 2) throw new CommanderError(2, 'collect', 'see helioport collect --help');
      if (code !== 0) context.fail();
    });
};
