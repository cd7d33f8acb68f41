import type { TariffUse, WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import cards from '../../parts/cards.module.css';
import { PlantHead } from '../../parts/plants/plant-head.tsx';
import { useOperation } from '../../wire/queries.ts';
import { inForce } from './prices/in-force.ts';
import { texts } from './texts/index.ts';
import { useWindowText } from './prices/tariff-windows.tsx';

const USES: readonly TariffUse[] = ['production', 'import', 'export'];

/** The settings of somebody else’s plant: its prices, and how its devices are replaced. */
export function Shared({ plant }: { readonly plant: WireData<'plant/show'> }): ReactNode {
  const { id, currency } = plant;
  const t = texts.useTexts();
  const formats = useFormats();
  const windowText = useWindowText(currency);
  const { data: tariffs = [] } = useOperation('tariff/list', { plantId: id });
  return (
    <div className={cards.page}>
      <PlantHead plant={plant} page="settings" />
      <p className={cards.lead}>{t.sharedLead}</p>
      <section className={cards.card} aria-label={t.tariffs}>
        <h2>{t.tariffs}</h2>
        <ul className={cards.list}>
          {USES.map((use) => {
            const price = inForce(tariffs.filter((one) => one.use === use));
            return (
              <li key={use} className={cards.row}>
                <div>
                  {t.uses[use]}
                  {price?.windows?.map(windowText).map((text) => (
                    <span key={text} className={cards.soft}>
                      {text}
                    </span>
                  ))}
                </div>
                <strong>{price ? formats.price(price.pricePerKwh, currency) : t.noPrice}</strong>
              </li>
            );
          })}
        </ul>
      </section>
      <section className={cards.card} aria-label={t.devices}>
        <h2>{t.devices}</h2>
        <p className={cards.lead}>{t.replaceLead}</p>
        <ol>
          {t.replaceSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
    </div>
  );
}
