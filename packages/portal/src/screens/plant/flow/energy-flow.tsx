import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { BatteryIcon, GridIcon, HomeIcon, RoofIcon, type Icon } from '../../../parts/icons.tsx';
import { SunGauge } from '../../../parts/sun-gauge.tsx';
import { texts } from '../texts/index.ts';
import styles from './energy-flow.module.css';
import { useConnectionWords, type Connected } from '../../../parts/plants/connection.ts';
import { directionOf, flowOf, type Direction } from './flow-of.ts';
import { Running } from './running.tsx';

interface FlowNode {
  readonly key: 'roof' | 'house' | 'battery' | 'grid';
  readonly icon: Icon;
  readonly name: string;
  /** What it does, in words. */
  readonly doing: string;
  /** The figure in the drawing. */
  readonly figure: string;
  readonly direction: Direction;
}

/** Where power comes from and goes to at this moment: roof, battery, house and grid, drawn and in words. */
export function EnergyFlow({
  plant,
  connected,
}: {
  readonly plant: WireData<'plant/show'>;
  readonly connected: Connected;
}): ReactNode {
  const { flow: t, now, ofCapacity } = texts.useTexts();
  const formats = useFormats();
  const words = useConnectionWords()(connected);
  const { roofW, houseW, batteryW, batteryPercent, gridW } = flowOf(plant);
  const ratedW = plant.capacityKwp * 1000;
  const share = ratedW > 0 && roofW !== undefined ? roofW / ratedW : 0;
  const rated = formats.power(ratedW);
  const capacity = `${rated.value} ${rated.unit}p`;
  const percent = formats.percent(share * 100);
  const power = (watts: number | undefined): string => {
    const { value, unit } = formats.power(watts === undefined ? undefined : Math.abs(watts));
    return `${value} ${unit}`.trim();
  };
  const node = (
    key: FlowNode['key'],
    icon: Icon,
    intoW: number | undefined,
    [into, out]: readonly [string, string],
  ): FlowNode => {
    // Nothing flows that is not known to flow now.
    const direction = words ? 'still' : directionOf(intoW);
    const doing = intoW === undefined ? t.unknown : { still: t.idle, in: into, out }[direction];
    return { key, icon, name: t[key], doing: words ? '' : doing, figure: power(intoW), direction };
  };
  const nodes: readonly FlowNode[] = [
    node('roof', RoofIcon, roofW === undefined ? undefined : -Math.max(0, roofW), [
      t.producing,
      t.producing,
    ]),
    node('grid', GridIcon, gridW, [t.exporting, t.importing]),
    node('house', HomeIcon, houseW === undefined ? undefined : Math.max(0, houseW), [
      t.using,
      t.using,
    ]),
    ...(batteryW === undefined && batteryPercent === undefined
      ? []
      : [node('battery', BatteryIcon, batteryW, [t.charging, t.discharging])]),
  ];
  return (
    <section
      className={styles.flow}
      aria-labelledby="energy-flow"
      data-old={words !== undefined || undefined}
    >
      <h2>
        <span id="energy-flow">{t.title}</span>
        <small>
          {' · '}
          <span>{words?.asOf ?? now}</span>
        </small>
      </h2>
      <div className={styles.drawing} data-battery={nodes.length === 4 || undefined}>
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden="true"
          className={styles.lines}
        >
          {nodes.map(({ key, direction }) => (
            <path
              key={key}
              className={styles.line}
              data-node={key}
              data-direction={direction}
              d={LINES[key]}
            />
          ))}
        </svg>
        <ul className={styles.nodes}>
          {nodes.map(({ key, icon: NodeIcon, name, doing, figure, direction }) => (
            <li key={key} className={styles.node} data-node={key} data-direction={direction}>
              <span className={styles.circle}>
                {key === 'roof' ? <SunGauge share={share} /> : <NodeIcon size={26} />}
                {key === 'battery' && batteryPercent !== undefined && (
                  <span className={styles.charge}>{formats.number(batteryPercent, 0)} %</span>
                )}
              </span>
              <strong data-figure={key === 'roof' ? 'power' : undefined}>{figure}</strong>
              <span className={styles.words}>
                <span className={styles.name}>{name}</span>{' '}
                <span className={styles.doing}>
                  {key === 'roof' && ratedW > 0
                    ? roofW === undefined
                      ? capacity
                      : ofCapacity(`${percent.value} ${percent.unit}`, capacity)
                    : doing}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <Running plantId={plant.id} />
    </section>
  );
}

/** From each node to the middle, where all of them are connected. */
const LINES: Readonly<Record<FlowNode['key'], string>> = {
  roof: 'M50 11V39',
  battery: 'M50 89V39',
  grid: 'M16 39H50',
  house: 'M84 39H50',
};
