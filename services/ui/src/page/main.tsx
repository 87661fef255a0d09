// Styles of the whole page come first, so that those of its parts can go on from them.
import './design/typefaces.css';
import './design/tokens.css';
import './design/base.css';
import './design/controls.css';
import './design/shell.css';
import './design/forced-colours.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { queryClient } from './client/queries';
import { chooseMessages, MessagesContext } from './messages/use-messages';
import { applyTheme, readTheme } from './settings/theme';

const messages = await chooseMessages(navigator.languages);
document.documentElement.lang = messages.language;
applyTheme(readTheme());

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <MessagesContext value={messages}>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </MessagesContext>,
);
