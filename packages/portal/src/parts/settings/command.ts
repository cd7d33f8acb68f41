import type { WireData } from '@helioport/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call } from '../../wire/call.ts';

export type Command = WireData<'command/list'>[number];
export type ShownCommandState = NonNullable<Command['state']>;

export const isOpen = ({ endedAt }: Command): boolean => endedAt === undefined;
/** Whether it can still be cancelled. */
export const isCancellable = ({ action, state }: Command): boolean =>
  action === 'write' && state === 'queued';

/** How often an open command is asked for: people watch it. */
const WATCH_MS = 1_000;
const REST_MS = 60_000;
export const LISTED = 50;

export interface CommandSelection {
  readonly sn: string;
  /** How many pages of them. */
  readonly pages?: number;
}

/** The writes to a device, newest first. As long as one is under way, they are asked for often. */
export function useCommands({
  sn,
  pages = 1,
}: CommandSelection): UseQueryResult<readonly Command[]> {
  const request = { sn, limit: pages * LISTED };
  return useQuery<readonly Command[]>({
    queryKey: ['command/list', request],
    queryFn: ({ signal }) => call('command/list', request, signal),
    refetchInterval: ({ state: { data } }) => (data?.some(isOpen) ? WATCH_MS : REST_MS),
    placeholderData: (previous, query) =>
      (query?.queryKey[1] as { sn?: string } | undefined)?.sn === sn ? previous : undefined,
  });
}

/** One command, asked for often until it has ended. */
export const useCommand = (id: string | undefined): UseQueryResult<Command> =>
  useQuery<Command>({
    queryKey: ['command/show', { commandId: id }],
    queryFn: ({ signal }) => call('command/show', { id: id! }, signal),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) => (data && !isOpen(data) ? false : WATCH_MS),
  });

/**
 * The changes that `command/undo` would undo, one of each parameter at most: the last that changed something, is not undone or about to be, undoes none, and is
 * no step of a strategy.
 */
export function undoable(commands: readonly Command[]): ReadonlySet<Command> {
  const last = new Map<string | undefined, Command>();
  for (const command of commands) {
    const { id, action, parameter, state, sentAt, oldValue, undoes, strategyId } = command;
    if (
      last.has(parameter) ||
      strategyId !== undefined ||
      action !== 'write' ||
      state !== 'verified' ||
      sentAt === undefined ||
      oldValue === undefined ||
      undoes !== undefined
    )
      continue;
    if (!commands.some((other) => other.undoes === id && other.state === 'verified'))
      last.set(parameter, command);
  }
  const underWay = new Set(commands.filter(isOpen).map(({ parameter }) => parameter));
  return new Set([...last.values()].filter(({ parameter }) => !underWay.has(parameter)));
}
