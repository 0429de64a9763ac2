// The way out of a kiosk when the console's own page is gone. Only a desktop's page can ask for it; a
// kiosk in a browser is ended by whoever started the console.
const leave = window.fieldConsole?.verbs?.leaveKiosk;
const form = document.querySelector('form');
const field = document.querySelector('#code');
const said = document.querySelector('#said');

if (leave && form && field && said) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const code = field.value;
    field.value = '';
    said.textContent = '';
    leave({ code })
      .then((result) => {
        said.textContent = result.ok ? 'The console ends.' : result.failure.sentence;
      })
      .catch(() => {
        said.textContent = 'The console does not answer. Turn the computer off and on.';
      });
    field.focus();
  });
}
