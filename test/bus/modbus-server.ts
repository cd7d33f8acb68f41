import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';
import { pythonWith } from '../support/python.ts';

const PROGRAM = fileURLToPath(new URL('modbus_server.py', import.meta.url));

/** A Python with the public servers of Modbus; undefined where it cannot be had. */
export const modbusPython = (): Promise<string | undefined> =>
  pythonWith(
    'modbus',
    ['pymodbus==3.16.1', 'pyModbusTCP==0.3.1', 'pyserial==3.5', 'pysunspec2==1.3.7'],
    'tests against public Modbus servers',
  );

/** Words by address, by table (3 holding, 4 input), by unit. */
export type Registers = Record<number, Record<number, Record<number, number[]>>>;

export interface ModbusServer {
  /** A port of loopback, or the path of a serial port. */
  readonly place: string;
  stop(): Promise<void>;
}

/** Starts a server that somebody else wrote. */
export async function startModbusServer(
  python: string,
  kind: 'tcp' | 'rtu' | 'serial' | 'pymodbustcp',
  units: Registers,
  at: {
    readonly host?: string;
    readonly port?: number;
    /** Holding registers that each unit also shows as an input register. */
    readonly mirrors?: readonly (readonly [holding: number, input: number])[];
  } = {},
): Promise<ModbusServer> {
  const spec = { kind, units, ...at, ...(kind === 'pymodbustcp' && { port: await freePort() }) };
  const child = spawn(python, [PROGRAM, JSON.stringify(spec)], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  const place = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      const ready = /^ready (\S+)$/m.exec(output);
      if (ready) resolve(ready[1]!);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', () => reject(new Error(`the server ended: ${output}`)));
  });
  return {
    place,
    async stop() {
      if (child.exitCode !== null) return;
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
