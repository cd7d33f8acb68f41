import type { OpenBuckets } from './token-buckets.ts';

/** The processes that serve the same ports as this one. */
export interface Siblings {
  /** Opens buckets in which all of them count. */
  readonly openBuckets: OpenBuckets;
  /** Tells all the others, as soon as possible; those that are not there miss it. */
  tell(topic: string, text: string): void;
  /** Calls `take` for what the others tell about a topic. */
  hear(topic: string, take: (text: string) => void): void;
  /** Has this process asked, from now on, for what the health of all is put together from. */
  answer(questions: HealthQuestions): void;
}

/** What a process tells of its health. */
export interface HealthQuestions {
  isReady(): Promise<boolean>;
  /** What is wrong with it although it serves, one sentence for each thing. */
  ailments(): Promise<readonly string[]>;
  /** All its metrics, for prom-client’s AggregatorRegistry. */
  metrics(): Promise<readonly object[]>;
}
