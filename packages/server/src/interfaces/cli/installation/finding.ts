/** The finding of a check of `helioport doctor`. */
export interface DoctorFinding {
  readonly state: 'ok' | 'warning' | 'fault';
  readonly text: string;
}

export const ok = (text: string): DoctorFinding => ({ state: 'ok', text });
export const warning = (text: string): DoctorFinding => ({ state: 'warning', text });
export const faultFinding = (text: string): DoctorFinding => ({ state: 'fault', text });
