import { unknownNames, type Given } from '../config/load.ts';
import { clientNames, environmentName, settings, type Setting, type SettingName } from '../config/schema.ts';
import type { Register } from './context.ts';
import { table } from './table.ts';

/** `helioport config show|check`: what is set, and whether it can be. */
export const registerConfig: Register = (program, context) => {
  const config = program.command('config').description('settings: what is in force, and whether it can be');
  config
    .command('show')
    .description('every setting with its value and source; secrets masked')
    .action(() => {
      context.config();
      const rows = Object.entries(settings as Record<string, Setting<unknown>>).map(([name, setting]) => shown(name as SettingName, setting, context.given()));
      context.print(Object.fromEntries(rows.map(({ name, value, source }) => [name, { value, source }])), () =>
        table(
          ['setting', 'value', 'from'],
          rows.map(({ name, value, source }) => [name, value, source]),
        ),
      );
    });
  config
    .command('check')
    .description('check the settings; all faults are reported at once')
    .action(() => {
      context.config();
      const unknown = unknownNames(context.environment).filter((name) => !(name in clientNames));
      for (const name of unknown) context.note(`${name}: no such setting (in environment), ignored`);
      context.print({ ok: true, unknown }, 'the settings can be used');
    });
};

function shown(name: SettingName, setting: Setting<unknown>, given: Given): { name: string; value: string | null; source: string } {
  const own = given[name];
  const text = own?.text ?? setting.fallback;
  const value = own && setting.secret ? MASK : text;
  return { name: environmentName(name), value, source: own?.source ?? (text === null ? `derived: ${setting.derived}` : 'default') };
}

const MASK = '********';
