import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './theme/mantine-styles.ts';
import './theme/theme.css';
import { App } from './app.tsx';
import { installOfflineWorker } from './offline-worker.ts';

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
installOfflineWorker();
