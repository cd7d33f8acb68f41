import { readFileSync } from 'node:fs';

/** CPU time that a process and the children it has now have used so far, in microseconds, as Linux counts it. */
export function cpuOfTree(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [pid, ...children].reduce(
    (sum, one) => sum + Number(readFileSync(`/proc/${one}/schedstat`, 'utf8').split(' ')[0]) / 1000,
    0,
  );
}
