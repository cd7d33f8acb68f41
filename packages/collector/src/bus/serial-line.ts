import { execFile } from 'node:child_process';
import { constants, open, write } from 'node:fs';
import process from 'node:process';
import { Duplex } from 'node:stream';
import { ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { BusFault } from './faults.ts';
import { lineOver, type Dial } from './line.ts';

export interface SerialSettings {
  readonly path: string;
  readonly baud: number;
  readonly parity: 'none' | 'even' | 'odd';
  readonly stopBits: 1 | 2;
}

const PARITY = {
  none: ['-parenb'],
  even: ['parenb', '-parodd'],
  odd: ['parenb', 'parodd'],
} as const;

/**
 * A line over a serial port. On Linux, the system's own `stty` and file are enough; elsewhere it takes the package
 * `serialport`.
 */
export function dialSerial(settings: SerialSettings): Dial {
  return async (events) => {
    const port = process.platform === 'linux' ? await openTty(settings) : await openPort(settings);
    return lineOver(port, events);
  };
}

async function openTty({ path, baud, parity, stopBits }: SerialSettings): Promise<Duplex> {
  const form = ['cs8', stopBits === 2 ? 'cstopb' : '-cstopb', ...PARITY[parity]];
  const modes = ['raw', '-echo', '-echoe', '-echok', '-crtscts', 'clocal', 'min', '1', 'time', '0'];
  let fd: number;
  try {
    const { O_RDWR, O_NOCTTY, O_NONBLOCK } = constants;
    fd = await promisify(open)(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    await promisify(execFile)('stty', ['-F', path, String(baud), ...form, ...modes]);
  } catch (error) {
    throw serialFault(path, error as NodeJS.ErrnoException);
  }
  const input = new ReadStream(fd);
  const port = new Duplex({
    read: () => void input.resume(),
    write: (bytes: Buffer, _, done) => write(fd, bytes, (error) => done(error)),
    destroy: (error, done) => {
      input.destroy();
      done(error);
    },
  });
  input.on('data', (bytes) => port.push(bytes));
  input.once('error', (error) => port.destroy(error));
  input.once('close', () => port.destroy());
  return port;
}

/** What is used of the package `serialport`, which is loaded only where it is needed. */
interface SerialPortPackage {
  readonly SerialPort: new (options: object, opened: (error: Error | null) => void) => Duplex;
}

async function openPort({ path, baud, parity, stopBits }: SerialSettings): Promise<Duplex> {
  let loaded: SerialPortPackage;
  const name = 'serialport';
  try {
    loaded = (await import(name)) as SerialPortPackage;
  } catch (cause) {
    throw new BusFault(
      'unreachable',
      `${path}: serial ports of this system need the package serialport; run npm install serialport`,
      { cause },
    );
  }
  return new Promise((resolve, reject) => {
    const options = { path, baudRate: baud, dataBits: 8, parity, stopBits };
    const port = new loaded.SerialPort(options, (error) =>
      error ? reject(serialFault(path, error)) : resolve(port),
    );
  });
}

function serialFault(path: string, cause: NodeJS.ErrnoException): BusFault {
  if (cause.code === 'ENOENT')
    return new BusFault('unreachable', `${path} does not exist: is the adapter plugged in?`, {
      cause,
    });
  if (cause.code === 'EACCES')
    return new BusFault(
      'unreachable',
      `${path} may not be opened: add this user to the group that owns it (often dialout)`,
      { cause },
    );
  return new BusFault('unreachable', `${path} is no serial port: ${cause.message.trim()}`, {
    cause,
  });
}
