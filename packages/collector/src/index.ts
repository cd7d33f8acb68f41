export type { Backlog, KeptReport } from './backlog/backlog.ts';
export { openBacklog, type BacklogFileOptions } from './backlog/file-backlog.ts';
export { createMemoryBacklog } from './backlog/memory-backlog.ts';
export { systemClock, timerPause, type Clock, type Pause } from './clock.ts';
export {
  createCollector,
  type Collector,
  type CollectorOptions,
  type DeliverOptions,
} from './collector.ts';
export type { DeviceAccess, Instruction, InstructionResult, ReadValue } from './instruction.ts';
export type { Answer, ArrivedInstruction, Link, Setback, Urgency } from './link.ts';
export { NotAccepted } from './not-accepted.ts';
export { openLink, type LinkOptions } from './open-link.ts';
export {
  merged,
  type DeviceDescription,
  type DeviceLink,
  type DroppedValue,
  type Outcome,
  type Reading,
  type Report,
  type ReportedAlarm,
  type ReportOutcome,
} from './report.ts';
