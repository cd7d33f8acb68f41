import type { TariffUse, WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { Card, List, Note, Page, Row, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
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
    <Page narrow>
      <PlantHead plant={plant} page="settings" />
      <Soft>{t.sharedLead}</Soft>
      <Card aria-label={t.tariffs}>
        <h2>{t.tariffs}</h2>
        <List divided>
          {USES.map((use) => {
            const price = inForce(tariffs.filter((one) => one.use === use));
            return (
              <Row key={use} component="li">
                <div>
                  {t.uses[use]}
                  {price?.windows?.map(windowText).map((text) => (
                    <Note key={text} component="span">
                      {text}
                    </Note>
                  ))}
                </div>
                <strong>{price ? formats.price(price.pricePerKwh, currency) : t.noPrice}</strong>
              </Row>
            );
          })}
        </List>
      </Card>
      <Card aria-label={t.devices}>
        <h2>{t.devices}</h2>
        <Soft>{t.replaceLead}</Soft>
        <ol>
          {t.replaceSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Card>
    </Page>
  );
}
