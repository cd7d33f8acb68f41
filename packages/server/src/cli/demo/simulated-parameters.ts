import type { ParametersOf } from '@helioport/simulator';
import { profileOf } from '../../devices/profiles/profiles.ts';

/** What the profiles say of a model: a simulated inverter has what a real one of that model would have. */
export const parametersOf: ParametersOf = (model) => profileOf(model).parameters;
