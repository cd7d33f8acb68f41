import type { ParametersOf } from '@helioport/simulator';
import { profileOf } from '../../../fleet/devices/profiles/profiles.ts';

/** The parameters of a simulated inverter: those of its model's profile. */
export const parametersOf: ParametersOf = (model) => profileOf(model).parameters;
