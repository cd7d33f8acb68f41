import type { Language } from '@helioport/contract';
import { lossWords as de } from '@helioport/contract/loss-words/de';
import { lossWords as en, type LossWords } from '@helioport/contract/loss-words/en';
import { lossWords as es } from '@helioport/contract/loss-words/es';
import { lossWords as zh } from '@helioport/contract/loss-words/zh';

/** What losses are called in what is sent or printed, as the portal calls them. */
export const wordsOfLosses: Readonly<Record<Language, LossWords>> = { en, de, es, zh };
