import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './theme/mantine-styles.ts';
import './theme/theme.css';
import { App } from './app.tsx';
import { loadFirst } from './load-first.ts';
import { installOfflineWorker } from './offline-worker.ts';

// Whatever React once shows in place of something that is loading, it shows for 300 ms.
void loadFirst().then(() =>
  createRoot(document.querySelector('#root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
installOfflineWorker();
