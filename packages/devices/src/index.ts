export {
  checkValue,
  firmwareFault,
  type CheckedValue,
  type ValueFault,
  type WriteContext,
} from './parameters/check-value.ts';
export { isAlreadySet, readsBackAs } from './parameters/read-back.ts';
export { valueOfWord, wordOf } from './parameters/register-words.ts';
export {
  allProfiles,
  findProfile,
  parameterOf,
  profileFor,
  profileOf,
  registerProfiles,
} from './profiles/profiles.ts';
export type { Parameter, Profile, Register, ValueForm } from './profiles/profile.ts';
export {
  alarmsIn,
  boundsOf,
  decodeBlock,
  isConfirmed,
  type DecodedBlock,
  type DecodedValue,
  type DecodingContext,
  type DropReason,
} from './registers/decode.ts';
export {
  NotIdentified,
  type Identity,
  type ReadWords,
  type Rejection,
} from './registers/identify.ts';
export {
  isWritable,
  mirroredText,
  mirrorSpansOf,
  parameterText,
  planWrite,
  spansOf,
  type RegisterWrite,
  type Span,
  type WritePlan,
} from './registers/plan-write.ts';
export { identify } from './identify-device.ts';
export { createReadings, type Readings } from './registers/readings.ts';
export type {
  Alarm,
  Block,
  Evidence,
  Place,
  RegisterMap,
  RegisterValue,
  State,
  Table,
} from './registers/register-map.ts';
