import type { Config, GivenSettings } from '../../../platform/config/load.ts';
import {
  environmentName,
  settings,
  type ConfigSetting,
  type SettingName,
} from '../../../platform/config/schema.ts';
import { unknownInEnvironment } from '../../../platform/config/unknown-names.ts';
import type { RegisterCommand } from '../context.ts';
import { tableText } from '../table.ts';

/** `helioport config show|check`: shows or checks the settings. */
export const registerConfig: RegisterCommand = (program, context) => {
  const config = program.command('config').description('show or check the settings');
  config
    .command('show')
    .description('show every setting with its value and source; secrets are masked')
    .action(() => {
      const inForce = context.config();
      const rows = Object.entries(settings as Record<string, ConfigSetting<unknown>>).map(
        ([name, setting]) => shown(name as SettingName, setting, context.given(), inForce),
      );
      context.print(
        Object.fromEntries(rows.map(({ name, value, source }) => [name, { value, source }])),
        () =>
          tableText(
            ['setting', 'value', 'from'],
            rows.map(({ name, value, source }) => [name, value, source]),
          ),
      );
    });
  config
    .command('check')
    .description('check the settings and report all faults at once')
    .action(() => {
      context.config();
      const unknown = unknownInEnvironment(context.environment).map(({ name }) => name);
      context.print({ ok: true, unknown }, 'the settings are valid');
    });
};

function shown(
  name: SettingName,
  setting: ConfigSetting<unknown>,
  given: GivenSettings,
  inForce: Config,
): { name: string; value: string | null; source: string } {
  const own = given[name];
  if (own)
    return {
      name: environmentName(name),
      value: setting.secret ? MASK : own.text,
      source: own.source,
    };
  const { derived, fallback } = setting;
  if (fallback !== null) return { name: environmentName(name), value: fallback, source: 'default' };
  // Derived values are shown, except secrets, which are only described.
  const value = setting.secret ? null : (inForce[name] as string | null);
  return { name: environmentName(name), value, source: `derived: ${derived}` };
}

const MASK = '********';
