# The server as an image: docker build -t yacht . && docker run -p 8000:8000 -v yacht:/data yacht

FROM python:3.13-slim AS build
WORKDIR /src
COPY requirements.lock requirements-build.lock ./
RUN python -m venv /opt/yacht \
    && /opt/yacht/bin/pip install --no-cache-dir --require-hashes -r requirements.lock \
    && pip install --no-cache-dir --require-hashes -r requirements-build.lock
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY migrations migrations
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/yacht/bin/pip install --no-cache-dir --no-deps /wheels/*.whl

FROM python:3.13-slim
# A fixed number, so that a host folder mounted on /data can be given to it: chown 10001 FOLDER
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin yacht \
    && install --directory --owner=yacht --group=yacht /data
COPY --from=build /opt/yacht /opt/yacht
ENV PATH=/opt/yacht/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    YACHT_DATABASE_URL=sqlite:////data/yacht.db \
    YACHT_HOST=0.0.0.0
USER 10001
WORKDIR /data
VOLUME ["/data"]
EXPOSE 8000
# http.client, because urllib would ask a proxy that the environment names
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["python", "-c", "\
import http.client, os, sys; \
server = http.client.HTTPConnection('127.0.0.1', int(os.environ.get('YACHT_PORT', 8000)), timeout=2); \
server.request('GET', '/readyz'); \
sys.exit(server.getresponse().status != 200)"]
ENTRYPOINT ["yacht", "serve"]
