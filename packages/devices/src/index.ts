export {
  checkValue,
  firmwareFault,
  type CheckedValue,
  type ValueFault,
  type WriteContext,
} from './parameters/check-value.ts';
export { isAlreadySet, readsBackAs } from './parameters/read-back.ts';
export { valueOfWord, wordOf } from './parameters/register-words.ts';
export { allProfiles, parameterOf, profileOf } from './profiles/profiles.ts';
export type {
  Parameter,
  Profile,
  Register,
  SupplyCut,
  ValueForm,
} from './profiles/profile.ts';
