import { profileOf } from '@helioport/devices';
import type { ParametersOf } from '@helioport/simulator';

/** The parameters of a simulated inverter: those of its model's profile. */
export const parametersOf: ParametersOf = (model) => profileOf(model).parameters;
