import type { DeviceFacts, Values } from '@helioport/contract';

/** Facts that a device's readings reveal; entered facts take precedence over them. */
export function observedFacts(values: Values): DeviceFacts {
  let dcInputs = 0;
  let phases: 1 | 3 | undefined;
  for (const name in values) {
    const [, input, phase] = /^dc(?:Voltage|Current|Power)(\d+)|^acVoltage(\d)/.exec(name) ?? [];
    if (input !== undefined) dcInputs = Math.max(dcInputs, Number(input));
    if (phase !== undefined) phases = phases === 3 || phase !== '1' ? 3 : 1;
  }
  return {
    ...(dcInputs > 0 && { dcInputs }),
    ...(phases && { phases }),
    ...(values.batterySocPercent !== undefined && { storage: true }),
  };
}
