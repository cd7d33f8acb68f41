import { readFileSync, writeFileSync } from 'node:fs';
import { capture, readCapture } from '../find/capture.ts';
import { replay } from '../find/replay-server.ts';
import { withDevice } from './probe.ts';
import { CommandFault, UsageFault, type CommandContext } from './surroundings.ts';

/** `collect capture ADDRESS`: keeps the registers of a device in a file that names nobody. */
export async function captureCommand(context: CommandContext): Promise<void> {
  await withDevice(context, async (device) => {
    const captured = await capture(device, context.clock);
    const text = `${JSON.stringify(captured)}\n`;
    const { out } = context.options;
    if (typeof out !== 'string') return context.write(text.trimEnd());
    writeFileSync(context.path(out), text);
    const words = Object.values(captured.tables)
      .flatMap((runs) => Object.values(runs))
      .reduce((sum, run) => sum + run.length, 0);
    context.print({ file: out, words }, `${words} registers are in ${out}`);
  });
}

/** `collect replay FILE`: serves a capture as a device over Modbus TCP. */
export async function replayCommand(context: CommandContext): Promise<void> {
  const [file, ...more] = context.words;
  if (file === undefined || more.length > 0)
    throw new UsageFault('name one file that capture has written');
  const listen = context.options['listen'] ?? '127.0.0.1:1502';
  const [, host, digits] = /^([A-Za-z0-9.-]+):(\d{1,5})$/.exec(String(listen)) ?? [];
  const port = Number(digits);
  if (host === undefined || port > 65_535)
    throw new UsageFault('--listen is an address and a port, such as 127.0.0.1:1502');
  let captured;
  try {
    captured = readCapture(readFileSync(context.path(file), 'utf8'));
  } catch (error) {
    throw new CommandFault(`${file} cannot be replayed: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const server = await replay(captured, { host, port }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFault(`${listen} cannot be used: ${error.code ?? error.message}`);
  });
  const address = `tcp://${host}:${server.port}`;
  context.print(
    { address, unit: captured.unit },
    `serving ${file} as ${address}, unit ${captured.unit}`,
  );
  await new Promise<void>((resolve) => {
    if (context.signal.aborted) resolve();
    context.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
}
