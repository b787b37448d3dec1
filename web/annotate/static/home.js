// The first page: Enter begins or goes on with the first stage that has work.
'use strict';
document.querySelector('button.main')?.focus();
